// Why a verification failed: the first difference between compiled code and code on chain, the bytes around it, and the likely reason.

import { Fact, Facts } from '../page/page-head.tsx'
import { counted, grouped } from '../text/numbers.ts'

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
    /** Missing in jobs of older versions. */
    readonly expectedBefore?: string
    readonly foundBefore?: string
    readonly compiledLength: number
    readonly chainLength: number
  }
  readonly matchingContracts?: readonly string[]
  readonly availableContracts?: readonly string[]
  readonly likelySetting?: string
}

const LOCATIONS: Readonly<Record<string, string>> = {
  metadata: 'the metadata hash, which depends on sources and settings',
  immutable: 'an immutable variable',
  library: 'a library address',
  code: 'code',
  length: 'the end of the shorter code',
  constructorArguments: 'the constructor arguments',
}

export function Mismatch({ details }: { details: MismatchDetails }) {
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
            {LOCATIONS[difference.lies] ?? difference.lies}. The code on chain has{' '}
            {counted(difference.chainLength, 'byte')}, the compiled code {counted(difference.compiledLength, 'byte')}.
          </Fact>
        )}
        {facts.map(([name, text]) => (
          <Fact key={name} name={name}>
            <span class="hex">{text}</span>
          </Fact>
        ))}
      </Facts>
      {difference && <ByteLines difference={difference} />}
      {errors.length > 0 && (
        <section class="panel">
          <h2>Compiler output</h2>
          <pre class="json">{errors.join('\n')}</pre>
        </section>
      )}
    </>
  )
}

function factsOf(details: MismatchDetails): (readonly [name: string, text: string])[] {
  return (
    [
      ['Compiler submitted', details.compilerSubmitted],
      ['Compiler on chain', details.compilerOnChain],
      ['Contracts that match', details.matchingContracts?.join(', ')],
      ['Contracts compiled', details.availableContracts?.join(', ')],
    ] as const
  ).flatMap(([name, text]) => (text ? [[name, text] as const] : []))
}

const BYTES_A_LINE = 8

type ShownDifference = NonNullable<MismatchDetails['firstDifference']>

/** Both codes side by side; bytes that differ are marked. */
function ByteLines({ difference }: { difference: ShownDifference }) {
  const { offset, expectedBefore = '0x', foundBefore = '0x' } = difference
  const before = bytesOf(foundBefore).length
  const chain = [...bytesOf(foundBefore), ...bytesOf(difference.found)]
  const compiled = [...bytesOf(expectedBefore), ...bytesOf(difference.expected)]
  const count = Math.ceil(Math.max(chain.length, compiled.length) / BYTES_A_LINE)
  return (
    <section class="panel">
      <h2>Bytes around the difference</h2>
      <table class="bytes">
        <thead>
          <tr>
            <th scope="col">Byte</th>
            <th scope="col">On chain</th>
            <th scope="col">Compiled</th>
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: count }, (_, line) => line * BYTES_A_LINE).map((from) => (
            <tr key={from}>
              <th scope="row">{grouped(String(offset - before + from))}</th>
              <td>
                <Bytes of={chain} other={compiled} from={from} />
              </td>
              <td>
                <Bytes of={compiled} other={chain} from={from} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Bytes({ of, other, from }: { of: readonly string[]; other: readonly string[]; from: number }) {
  const line = of.slice(from, from + BYTES_A_LINE)
  if (line.length === 0) return <span class="none">nothing</span>
  return (
    <>
      {line.map((byte, i) =>
        byte === other[from + i] ? (
          `${byte} `
        ) : (
          <>
            <mark>{byte}</mark>{' '}
          </>
        ),
      )}
    </>
  )
}

function bytesOf(hex: string): readonly string[] {
  return hex.slice(2).match(/../g) ?? []
}
