import { subscribe } from './live.ts'

/** Counts the blocks that are missing, and opens the block once it is there. */
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
