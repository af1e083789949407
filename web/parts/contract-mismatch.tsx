// Why a source is not this contract: the first place where the codes differ, what lies there, and what it may come from.
import { grouped } from './numbers.ts'
import { Fact, Facts } from './page-head.tsx'

export type MismatchDetails = {
  readonly errors?: readonly string[]
  readonly compilerSubmitted?: string
  readonly compilerOnChain?: string
  readonly firstDifference?: {
    readonly code: 'runtime' | 'creation'
    readonly offset: number
    readonly lies: string
    readonly expected: string
    readonly found: string
    readonly compiledLength: number
    readonly chainLength: number
  }
  readonly matchingContracts?: readonly string[]
  readonly availableContracts?: readonly string[]
  readonly likelySetting?: string
}

const PLACES: Readonly<Record<string, string>> = {
  metadata: 'the metadata, which names the sources and settings',
  immutable: 'an immutable',
  library: 'the address of a library',
  code: 'code',
  length: 'the end of the shorter one',
  constructorArguments: 'the arguments of the constructor',
}

export const Mismatch = ({ details }: { details: MismatchDetails }) => {
  const { firstDifference: difference, likelySetting, errors = [] } = details
  const facts = factsOf(details)
  if (facts.length === 0 && !difference && !likelySetting && errors.length === 0) return null
  return (
    <>
      <Facts>
        {likelySetting && (
          <Fact name="Likely reason">
            <strong>{likelySetting}</strong>
          </Fact>
        )}
        {difference && (
          <Fact name="First difference">
            Byte {grouped(String(difference.offset))} of the {difference.code} code:{' '}
            {PLACES[difference.lies] ?? difference.lies}. On chain are {grouped(String(difference.chainLength))} bytes,
            compiled were {grouped(String(difference.compiledLength))}.
          </Fact>
        )}
        {difference && (
          <Fact name="On chain">
            <Bytes hex={difference.found} other={difference.expected} />
          </Fact>
        )}
        {difference && (
          <Fact name="Compiled">
            <Bytes hex={difference.expected} other={difference.found} />
          </Fact>
        )}
        {facts.map(([name, text]) => (
          <Fact key={name} name={name}>
            <span class="hex">{text}</span>
          </Fact>
        ))}
      </Facts>
      {errors.length > 0 && (
        <section class="panel">
          <h2>What the compiler says</h2>
          <pre class="json">{errors.join('\n')}</pre>
        </section>
      )}
    </>
  )
}

const factsOf = (details: MismatchDetails): (readonly [name: string, text: string])[] =>
  (
    [
      ['Compiler submitted', details.compilerSubmitted],
      ['Compiler on chain', details.compilerOnChain],
      ['Contracts that match', details.matchingContracts?.join(', ')],
      ['Contracts compiled', details.availableContracts?.join(', ')],
    ] as const
  ).flatMap(([name, text]) => (text ? [[name, text] as const] : []))

/** Byte by byte, those marked that the other has not. */
const Bytes = ({ hex, other }: { hex: string; other: string }) => {
  const mine = bytesOf(hex)
  const theirs = bytesOf(other)
  return (
    <span class="bytes">
      {mine.length === 0 && <span class="none">nothing</span>}
      {mine.map((byte, i) =>
        byte === theirs[i] ? (
          `${byte} `
        ) : (
          <>
            <mark>{byte}</mark>{' '}
          </>
        ),
      )}
    </span>
  )
}

const bytesOf = (hex: string): readonly string[] => hex.slice(2).match(/../g) ?? []
