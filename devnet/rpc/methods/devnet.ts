// Methods for tests: make blocks by hand, reorg on demand, deposit from the simulated L1.
import { z } from 'zod'
import { EMPTY_BYTES } from '../../../src/chain/bytes/hex.ts'
import { invalidParams, serverError } from '../../../src/evm/call/call-failures.ts'
import { MAX_REORG_DEPTH } from '../../chain/sequencer.ts'
import { method } from '../method.ts'
import { address, bytes, quantity, smallQuantity } from '../params.ts'

const deposit = z.object({
  from: address,
  to: address.nullish(),
  mint: quantity.nullish(),
  value: quantity.nullish(),
  gas: quantity.nullish(),
  data: bytes.nullish(),
})

const DEFAULT_DEPOSIT_GAS = 1_000_000n

export const devnetMethods = {
  /** Makes the next flashblock. */
  devnet_step: method({}, ({ chain }) => {
    chain.step()
    return chain.pending().hash
  }),
  /** Seals the open block and returns its hash. */
  devnet_seal: method({}, ({ chain }) => chain.seal().hash),
  evm_mine: method({}, ({ chain }) => {
    chain.seal()
    return '0x0'
  }),
  devnet_reorg: method({ depth: smallQuantity }, ({ chain }, { depth }) => {
    const most = Math.min(MAX_REORG_DEPTH, chain.head().header.number)
    if (depth < 1 || depth > most) throw invalidParams(`invalid argument 0: depth must be from 1 to ${most}`)
    chain.reorg(depth)
    return chain.head().hash
  }),
  /** Returns the hash of the deposit transaction on this chain. */
  devnet_deposit: method({ deposit }, ({ chain }, { deposit: { from, to, mint, value, gas, data } }) => {
    const answer = chain.deposit({
      from,
      to: to ?? null,
      mint: mint ?? 0n,
      value: value ?? 0n,
      gasLimit: gas ?? DEFAULT_DEPOSIT_GAS,
      data: data ?? EMPTY_BYTES,
    })
    if (answer.type === 'refused') throw serverError(answer.message)
    return answer.hash
  }),
}
