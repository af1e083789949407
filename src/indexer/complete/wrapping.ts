// Whether Deposit and Withdrawal events of a contract mint and burn its token. Vaults, stakes and bridges emit the same events, so the
// contract's own answer decides: the holder's balance after the block less the one before it.
import type { Hex } from '../../chain/bytes/hex.ts'
import { balanceCall, wordFromAnswer } from '../../chain/tokens/token-answers.ts'
import type { TokenDeltaRow } from '../../store/schema/rows.ts'
import type { DerivedBlock } from '../derive/derive.ts'
import { type NodeAccess, readStateAt } from './state-at-block.ts'

/** For each contract whether it wraps; undefined where the node has no state of these blocks, or the event changed nothing. */
export async function wrappersAmong(
  access: NodeAccess,
  blocks: readonly DerivedBlock[],
  contracts: ReadonlySet<Hex>,
): Promise<Map<Hex, boolean | undefined>> {
  const events = firstWrappings(blocks, contracts)
  const answers = await readStateAt(
    access,
    events.flatMap(({ event: { token, address, height } }) =>
      [height - 1, height].map((at) => ({
        type: 'call' as const,
        address: token,
        height: Math.max(0, at),
        input: balanceCall(address),
      })),
    ),
  )
  return new Map(
    events.map(({ event, moved }, index) => {
      const [before, after] = answers.slice(2 * index, 2 * index + 2).map((answer) => balanceIn(answer ?? null))
      // Before its creation the contract has no answer; then nobody has a balance.
      const isKnown = after !== undefined && before !== undefined
      return [event.token, isKnown ? after - before === moved + event.delta : undefined]
    }),
  )
}

type Wrapping = {
  readonly event: TokenDeltaRow
  /** What transfers in the same block did to the same balance. */
  readonly moved: bigint
}

/** The first event of each contract that is said to change a balance. */
function firstWrappings(blocks: readonly DerivedBlock[], contracts: ReadonlySet<Hex>): Wrapping[] {
  const found = new Map<Hex, Wrapping>()
  for (const { wrapped, tokenDeltas } of blocks) {
    for (const event of wrapped) {
      if (!contracts.has(event.token) || found.has(event.token)) continue
      const own = tokenDeltas.filter(({ token, address }) => token === event.token && address === event.address)
      found.set(event.token, { event, moved: own.reduce((sum, { delta }) => sum + delta, 0n) })
    }
  }
  return [...found.values()]
}

/** `0x` is the answer of an address without code. */
function balanceIn(answer: Hex | null): bigint | undefined {
  if (answer === null) return undefined
  return answer === '0x' ? 0n : (wordFromAnswer(answer) ?? undefined)
}
