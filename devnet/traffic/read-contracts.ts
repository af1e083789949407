// Reads many values from contracts in one call.

import { decodeAbiParameters, decodeFunctionResult } from 'viem/utils'
import { addressToHex, type Hex } from '../../src/chain/bytes/hex.ts'
import { artifactOf } from '../contracts/artifact.ts'
import { callOf } from '../contracts/calldata.ts'
import type { ContractName } from '../contracts/catalogue.ts'
import { MULTICALL3 } from '../genesis/predeploys.ts'
import type { Rpc } from './json-rpc.ts'

export type Reading = {
  readonly contract: ContractName
  readonly at: Hex
  readonly functionName: string
  readonly args?: readonly unknown[]
}

/** The answers in the order of the readings; undefined where a call failed. */
export async function readContracts(rpc: Rpc, readings: readonly Reading[]): Promise<unknown[]> {
  const calls = readings.map(({ contract, at, functionName, args }) => ({
    target: at,
    allowFailure: true,
    callData: callOf(contract, functionName, args),
  }))
  const data = callOf('Multicall3', 'aggregate3', [calls])
  const answer = await rpc.request<Hex>('eth_call', { to: addressToHex(MULTICALL3), data }, 'latest')
  const [results] = decodeAbiParameters(RESULTS, answer)
  return readings.map(({ contract, functionName }, index) => {
    const { success, returnData } = results[index]!
    if (!success) return undefined
    return decodeFunctionResult({ abi: artifactOf(contract).abi, functionName, data: returnData })
  })
}

const RESULTS = [
  {
    type: 'tuple[]',
    components: [
      { name: 'success', type: 'bool' },
      { name: 'returnData', type: 'bytes' },
    ],
  },
] as const
