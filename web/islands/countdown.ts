import { subscribe } from './live.ts'

/** Shows how many blocks are left, and reloads the page once the block exists. */
export function mount(element: HTMLElement): void {
  const goal = Number(element.dataset.countdown)
  const figure = element.querySelector('[data-blocks]')!
  subscribe('figures', {
    onUpdate: ({ html }) => {
      const height = Number(/data-height="(\d+)"/.exec(html)?.[1])
      if (height >= goal) location.reload()
      else figure.textContent = (goal - height).toLocaleString('en')
    },
    onConnection: () => undefined,
  })
}
