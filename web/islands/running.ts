// In the timeline of a transaction, the next step shows the time since the last one.
const EVERY_MS = 100
const REDUCED_MOTION_MS = 1_000

let timer: ReturnType<typeof setInterval> | undefined

export function mount(): void {
  const hasReducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches
  timer ??= setInterval(write, hasReducedMotion ? REDUCED_MOTION_MS : EVERY_MS)
}

/** Updates replace the element, so it is looked up each time. */
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
