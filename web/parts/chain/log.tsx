import type { DecodedWords, LogItem } from '../../../src/contract/pages.ts'
import { decodedEvent } from '../text/events.ts'
import { Arguments, GuessTag } from '../values/decoded.tsx'
import { Address, Hash } from '../values/references.tsx'

/** Shows the raw log, and its decoded event where that is known. */
export function Log({ log, event: decoded }: { log: LogItem; event: DecodedWords | undefined }) {
  const known = decodedEvent(log.topics, log.data)
  const event = decoded ?? (known && { ...known, isGuess: true })
  return (
    <li class="log" id={`log-${log.logIndex}`}>
      <div class="log-head">
        <a class="figure" href={`#log-${log.logIndex}`} title="Log index in the block">
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
