// Requests of JSON-RPC that cost as much as they may.
const SOMEWHERE = `0x${'ab'.repeat(20)}`
/** Jumps to itself until the gas is used up. */
const ENDLESS = '0x5b600056'

export function rpcRequest(method: string, params: readonly unknown[]): object {
  return { jsonrpc: '2.0', id: 1, method, params }
}

export const looping = rpcRequest('eth_call', [
  { to: SOMEWHERE, gas: '0x2faf080' },
  'pending',
  { [SOMEWHERE]: { code: ENDLESS } },
])

export const manyLogs = rpcRequest('eth_getLogs', [{ fromBlock: '0x0', toBlock: 'pending' }])

export const simulation = rpcRequest('eth_simulateV1', [
  {
    blockStateCalls: Array.from({ length: 200 }, () => ({
      stateOverrides: { [SOMEWHERE]: { code: ENDLESS } },
      calls: Array.from({ length: 5 }, () => ({ to: SOMEWHERE, gas: '0xf4240' })),
    })),
  },
  'pending',
])
