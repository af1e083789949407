// The EVM of EthereumJS over its plainest state, in this process.
import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM } from '@ethereumjs/evm'
import { SimpleStateManager } from '@ethereumjs/statemanager'
import { createAccount, createAddressFromBigInt } from '@ethereumjs/util'
import { bigintToBytes } from '../../src/chain/bytes/hex.ts'
import { type Call, type Engine, ownCpuMs } from './engine.ts'
import { block, state, trader } from './workload.ts'

export async function createEthereumjsEngine(): Promise<Engine> {
  const common = new Common({ chain: Mainnet, hardfork: Hardfork.Prague })
  const stateManager = new SimpleStateManager({ common })
  for (const [number, { nonce, balance, codeHash }] of state.accounts) {
    const address = createAddressFromBigInt(number)
    await stateManager.putAccount(address, createAccount({ nonce, balance }))
    const code = state.codes.get(codeHash)
    if (code !== undefined) await stateManager.putCode(address, code.bytes)
    for (const [slot, value] of state.slots.get(number) ?? []) {
      await stateManager.putStorage(address, bigintToBytes(slot, 32), bigintToBytes(value, 32))
    }
  }
  const evm = await createEVM({ common, stateManager })
  const caller = createAddressFromBigInt(trader)
  // Left to run on its own state: a checkpoint around each call makes it read-only.
  const run = async ({ to, data }: Call) => {
    await stateManager.checkpoint()
    const { execResult } = await evm.runCall({
      caller,
      to: createAddressFromBigInt(to),
      data,
      gasLimit: block.gasLimit,
    })
    await stateManager.revert()
    return execResult.returnValue
  }
  return {
    name: '@ethereumjs/evm',
    output: run,
    cpuMs: (call, count) =>
      ownCpuMs(async () => {
        for (let i = 0; i < count; i++) await run(call)
      }),
    stop() {},
  }
}
