// Times as text. The server writes them, and the browser writes them again as they get older.

/** How times are written: how long ago, on the reader's clock, in UTC, or as Unix seconds. */
export const clocks = ['age', 'local', 'utc', 'unix'] as const
export type Clock = (typeof clocks)[number]

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const

/** "4s ago", "3m 20s ago", "2d 4h ago"; "in 4s" for a time in the future. */
export function ageOf(timeMs: number, nowMs: number): string {
  const spanMs = Math.abs(nowMs - timeMs)
  const first = UNITS.findIndex(([, length]) => spanMs >= length)
  if (first === -1) return 'just now'
  const [unit, length] = UNITS[first]!
  const count = Math.floor(spanMs / length)
  const next = UNITS[first + 1]
  const rest = next && count < 10 ? Math.floor((spanMs % length) / next[1]) : 0
  const words = rest > 0 ? `${count}${unit} ${rest}${next![0]}` : `${count}${unit}`
  return timeMs > nowMs ? `in ${words}` : `${words} ago`
}

export function utcOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ')
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

/** In the time zone of the program that runs this: in the browser, that of the reader. */
function localOf(timeMs: number): string {
  const date = new Date(timeMs)
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

export function timeText(timeMs: number, clock: Clock, nowMs: number): string {
  switch (clock) {
    case 'age':
      return ageOf(timeMs, nowMs)
    case 'local':
      return localOf(timeMs)
    case 'utc':
      return `${utcOf(timeMs)} UTC`
    case 'unix':
      return String(Math.floor(timeMs / 1000))
  }
}
