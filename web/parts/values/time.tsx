import type { PageShell } from '../page/page-shell.ts'
import { timeText, utcOf } from '../text/clock.ts'

type TimeProps = { ms: string; shell: PageShell }

/** A moment, as the reader likes it; the server does not know the reader's clock, so it writes UTC until the browser does. */
export function Time({ ms, shell }: TimeProps) {
  if (ms === '') return <span class="none">unknown</span>
  const timeMs = Number(ms)
  const clock = shell.clock === 'local' ? 'utc' : shell.clock
  return (
    <time dateTime={new Date(timeMs).toISOString()} title={`${utcOf(timeMs)} UTC`} data-ms={ms}>
      {timeText(timeMs, clock, shell.nowMs)}
    </time>
  )
}

/** With the time of day beside the age, where there is room for both. */
export function ExactTime(props: TimeProps) {
  return (
    <>
      <Time {...props} />
      {props.ms !== '' && <span class="unit exact"> {utcOf(Number(props.ms))} UTC</span>}
    </>
  )
}
