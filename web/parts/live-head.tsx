import { Icon } from './icons.tsx'

/** Over a live list: whether news come in, and the button that holds them back. Made visible by the script that serves it. */
export function LiveHead({ topic }: { topic: string }) {
  return (
    <span class="live" data-live-head={topic} hidden>
      <button type="button" class="quiet" data-pause aria-pressed="false">
        <span class="dot" />
        <span data-word>Live</span>
        <Icon name="pause" />
      </button>
      <button type="button" class="news" data-news hidden>
        0 new
      </button>
    </span>
  )
}
