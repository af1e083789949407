// op-revm in a process of its own: blocks go in as lines of JSON, what it made of their transactions comes out.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { GenesisOptions } from '../../../devnet/genesis/genesis-state.ts'
import type { Hex } from '../../../src/chain/bytes/hex.ts'
import { buildRevmJudge } from './build.ts'
import { alloc } from './genesis-file.ts'

export type RevmJudge = {
  /** `block` with whole transactions, and with the encoded ones as `raw`. */
  execute(block: object): Promise<readonly RevmOutcome[]>
  stop(): Promise<void>
}

export type RevmOutcome =
  | {
      readonly gasUsed: number
      readonly succeeded: boolean
      readonly logs: readonly { address: Hex; topics: readonly Hex[]; data: Hex }[]
      readonly changes: AccountChanges
    }
  | { readonly refused: string }

/** Accounts that differ from before the transaction, as they are after it; null: gone. */
export type AccountChanges = Readonly<Record<Hex, AccountAfter | null>>

export type AccountAfter = {
  readonly balance: Hex
  readonly nonce: number
  readonly codeHash: Hex
  /** Slots that differ from before. */
  readonly storage: Readonly<Record<Hex, Hex>>
}

export async function startRevmJudge(chainId: number, fork: GenesisOptions['fork']): Promise<RevmJudge> {
  const child = spawn(await buildRevmJudge(), { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const write = (line: object) => child.stdin.write(`${JSON.stringify(line)}\n`)
  write({ chainId, fork: fork[0]!.toUpperCase() + fork.slice(1), alloc: alloc(fork) })
  return {
    async execute(block) {
      write(block)
      const { value, done } = await lines.next()
      if (done) throw new Error('op-revm ended in the middle')
      return (JSON.parse(value) as { transactions: RevmOutcome[] }).transactions
    },
    async stop() {
      child.stdin.end()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}
