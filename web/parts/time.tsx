import type { Frame } from '../frame.ts'
import { timeText, utcOf } from './clock.ts'

/** A moment, as the reader likes it; the server does not know the reader's clock, so it writes UTC until the browser does. */
export const Time = ({ ms, frame }: { ms: string; frame: Frame }) => {
  if (ms === '') return <span class="none">unknown</span>
  const timeMs = Number(ms)
  const clock = frame.clock === 'local' ? 'utc' : frame.clock
  return (
    <time dateTime={new Date(timeMs).toISOString()} title={`${utcOf(timeMs)} UTC`} data-ms={ms}>
      {timeText(timeMs, clock, frame.nowMs)}
    </time>
  )
}
