// The step that a transaction waits for: how long it has been since the last one, counted while the reader looks.
const EVERY_MS = 100
const CALM_MS = 1_000

let timer: ReturnType<typeof setInterval> | undefined

export function mount(): void {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  timer ??= setInterval(write, isCalm ? CALM_MS : EVERY_MS)
}

/** Parts are replaced as news come in, so it is looked for anew each time. */
function write(): void {
  const running = [...document.querySelectorAll<HTMLElement>('[data-running]')]
  if (running.length === 0) {
    clearInterval(timer)
    timer = undefined
  }
  for (const element of running) {
    const spanMs = Math.max(0, Date.now() - Number(element.dataset.running))
    element.textContent = `not yet, +${(spanMs / 1000).toFixed(1)} s`
  }
}
