// The logs of a run, and among them one for every transfer of Ether: what `eth_simulateV1` shows with `traceTransfers`. Such a log looks
// like a token's from an address where nothing is. It is only shown: no receipt and no bloom knows it.
import { bigintToBytes } from '../../chain/bytes/hex.ts'
import type { Log } from '../../chain/codec/log.ts'
import { type ExecutionFrame, isCreation, type Tracer } from '../core/execution-frame.ts'

const ETHER_ADDRESS = 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeen
/** Transfer(address,address,uint256) */
const TRANSFER = 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3efn

export class TransferLogger implements Tracer {
  readonly #logs: Log[] = []
  /** How many logs there were when each of the open frames began. */
  readonly #starts: number[] = []

  get logs(): readonly Log[] {
    return this.#logs
  }

  enter(frame: ExecutionFrame): void {
    this.#starts.push(this.#logs.length)
    // What the other kinds name as their value stays where it is.
    if (frame.kind === 'CALL' || isCreation(frame)) this.#transfer(frame.caller, frame.self.address, frame.value)
  }

  exit(frame: ExecutionFrame): void {
    const start = this.#starts.pop()!
    if (frame.halt !== null) this.#logs.length = start
  }

  log(_frame: ExecutionFrame, log: Log): void {
    this.#logs.push(log)
  }

  selfDestruct(frame: ExecutionFrame, beneficiary: bigint, balance: bigint): void {
    this.#transfer(frame.self.address, beneficiary, balance)
  }

  #transfer(from: bigint, to: bigint, value: bigint): void {
    if (value > 0n) {
      this.#logs.push({ address: ETHER_ADDRESS, topics: [TRANSFER, from, to], data: bigintToBytes(value, 32) })
    }
  }
}
