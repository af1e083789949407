// What this service is, and what the node behind it is.
import { readFileSync } from 'node:fs'
import { toQuantity } from '../../chain/bytes/hex.ts'
import type { FeedStatus } from '../../upstream/feed/feed.ts'
import type { RpcHandlers } from './handlers.ts'

export const nodeMethods: Pick<
  RpcHandlers,
  'eth_chainId' | 'net_version' | 'web3_clientVersion' | 'eth_flashblocksEnabled' | 'eth_flashblocksPeerStatus'
> = {
  eth_chainId: ({ rpc }) => toQuantity(rpc.chainId),
  net_version: (scope) => scope.askCached('net_version', []),
  web3_clientVersion: async (scope) => {
    const nodeVersion = await scope.ask('web3_clientVersion', []).catch(() => 'a node that does not answer')
    return `Firstlight/v${version} over ${nodeVersion}`
  },
  eth_flashblocksEnabled: ({ view }) => view.snapshot.tip !== null,
  eth_flashblocksPeerStatus: ({ rpc }) => peerStatus(rpc.feedStatus?.() ?? null),
}

/**
 * As xlayer-reth answers. Our peers are the upstreams of the feed; they have numbers instead of names, because their addresses are not
 * for everybody, and we have no name among them.
 */
function peerStatus(feed: FeedStatus | null) {
  if (feed === null) return null
  const peers = feed.upstreams.map(({ isConnected, connections }, index) => ({
    peerId: `upstream ${index + 1}`,
    isStatic: true,
    connectionState: connectionState(isConnected, connections),
    hasStream: isConnected,
    connectionCount: connections,
  }))
  const count = (state: string) => peers.filter(({ connectionState }) => connectionState === state).length
  return {
    localPeerId: null,
    summary: {
      total: peers.length,
      connected: count('connected'),
      disconnected: count('disconnected'),
      neverConnected: count('never_connected'),
      staticPeers: peers.length,
    },
    peers,
  }
}

function connectionState(isConnected: boolean, connections: number): 'connected' | 'disconnected' | 'never_connected' {
  if (isConnected) return 'connected'
  return connections > 0 ? 'disconnected' : 'never_connected'
}

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}
