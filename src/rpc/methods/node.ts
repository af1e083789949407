// What this service is, and what the node behind it is.
import { readFileSync } from 'node:fs'
import { toQuantity } from '../../chain/bytes/hex.ts'
import type { RpcHandlers } from './handlers.ts'

export const nodeMethods: Pick<
  RpcHandlers,
  'eth_chainId' | 'net_version' | 'web3_clientVersion' | 'eth_flashblocksEnabled'
> = {
  eth_chainId: ({ rpc }) => toQuantity(rpc.chainId),
  net_version: (scope) => scope.askCached('net_version', []),
  web3_clientVersion: async (scope) => {
    const nodeVersion = await scope.ask('web3_clientVersion', []).catch(() => 'a node that does not answer')
    return `Firstlight/v${version} over ${nodeVersion}`
  },
  eth_flashblocksEnabled: ({ view }) => view.snapshot.tip !== null,
}

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}
