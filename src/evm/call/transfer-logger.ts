// The logs of a run plus one log for every transfer of Ether, as `eth_simulateV1` returns them with `traceTransfers`. Such a log looks like
// a token transfer of an address without a contract. It is not part of the receipt or the bloom.
import { bigintToBytes } from '../../chain/bytes/hex.ts'
import type { Log } from '../../chain/codec/log.ts'
import { type ExecutionFrame, isCreation, type Tracer } from '../core/execution-frame.ts'

const ETHER_ADDRESS = 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeen
/** Transfer(address,address,uint256) */
const TRANSFER = 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3efn

export class TransferLogger implements Tracer {
  readonly #logs: Log[] = []
  /** The number of logs when each of the open frames began. */
  readonly #starts: number[] = []

  get logs(): readonly Log[] {
    return this.#logs
  }

  enter(frame: ExecutionFrame): void {
    this.#starts.push(this.#logs.length)
    // The other kinds transfer no value.
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
