import { Arguments, type Decoded, GuessTag } from './decoded.tsx'
import { decodedEvent } from './events.ts'
import type { LogItem } from './records.ts'
import { Address, Hash } from './references.tsx'

/** A log in words where its event is a known one, and as it came in any case. */
export function Log({ log, event: told }: { log: LogItem; event: Decoded | undefined }) {
  const known = decodedEvent(log.topics, log.data)
  const event = told ?? (known && { ...known, isGuess: true })
  return (
    <li class="log" id={`log-${log.logIndex}`}>
      <div class="log-head">
        <a class="figure" href={`#log-${log.logIndex}`} title="Position in the block">
          {log.logIndex}
        </a>
        <Address address={log.address} isContract />
        {event && <span class="method">{event.name}</span>}
        {event?.isGuess && <GuessTag />}
      </div>
      {event && <Arguments of={event.arguments} />}
      <details open={!event}>
        <summary>Topics and data</summary>
        <dl class="arguments">
          {log.topics.map((topic, i) => (
            <div key={topic}>
              <dt>topic {i}</dt>
              <dd>
                <Hash hash={topic} what="topic" />
              </dd>
            </div>
          ))}
          <div>
            <dt>data</dt>
            <dd class="hex">{log.data}</dd>
          </div>
        </dl>
      </details>
    </li>
  )
}
