// eth_chainId, eth_syncing, net_*, web3_*: identity of the node.
import { readFileSync } from 'node:fs'
import { addressToHex, bytesToHex, toQuantity } from '../../../src/chain/bytes/hex.ts'
import { keccak256 } from '../../../src/chain/bytes/keccak.ts'
import { method } from '../method.ts'
import { bytes } from '../params.ts'

export const nodeMethods = {
  eth_chainId: method({}, ({ chain }) => toQuantity(chain.chainId)),
  eth_syncing: method({}, () => false),
  eth_coinbase: method({}, ({ chain }) => addressToHex(chain.head().header.miner)),
  net_version: method({}, ({ chain }) => String(chain.chainId)),
  net_listening: method({}, () => true),
  net_peerCount: method({}, () => '0x0'),
  web3_clientVersion: method(
    {},
    () => `Firstlight-Devnet/v${version}/${process.platform}-${process.arch}/node${process.versions.node}`,
  ),
  web3_sha3: method({ bytes }, (_context, args) => bytesToHex(keccak256(args.bytes))),
  rpc_modules: method({}, () => MODULES),
}

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

const MODULES = Object.fromEntries(
  ['debug', 'devnet', 'eth', 'net', 'rpc', 'trace', 'txpool', 'web3'].map((module) => [module, '1.0']),
)
