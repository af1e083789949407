// Notices on a page that is kept up to date. Other pages open no connection for them: they show them when they are loaded again.
import { subscribe } from './live.ts'

const LIVE = '[data-live], [data-live-part], [data-live-items]'

export function mount(element: HTMLElement): void {
  if (document.querySelector(LIVE) === null) return
  const template = document.createElement('template')
  subscribe('notices', {
    onUpdate: ({ html }) => {
      template.innerHTML = html
      // The element stays, because screen readers announce what changes inside it.
      element.replaceChildren(...template.content.firstElementChild!.children)
    },
    onConnection: () => undefined,
  })
}
