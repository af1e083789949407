import type { PageShell } from '../page/page-shell.ts'
import { timeText, utcOf } from '../text/clock.ts'

type TimeProps = { ms: string; shell: PageShell }

/** The server does not know the time zone of the reader, so it writes UTC; the browser replaces it with local time. */
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

/** With the UTC time beside the age. */
export function ExactTime(props: TimeProps) {
  return (
    <>
      <Time {...props} />
      {props.ms !== '' && <span class="unit exact"> {utcOf(Number(props.ms))} UTC</span>}
    </>
  )
}
