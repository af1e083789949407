// What a devnet with rules of its own (`DEVNET_OWN_RULES`) has beyond the OP Stack, after the example of Base: the time of a block in
// milliseconds, a token that is a part of the node and has no code, and somebody who pays the fees of others.
import { hexToAddress, hexToBytes } from '../../src/chain/bytes/hex.ts'
import { BASE_TIME } from '../../src/chain/rpc/block-time.ts'
import { type Code, toCode } from '../../src/evm/state/code.ts'
import { artifactOf } from '../contracts/artifact.ts'
import { simulatedUsers } from './accounts.ts'
import type { GenesisAccount } from './predeploys.ts'

/** Pays for sponsored transactions. Nobody has its key. */
export const SPONSOR = 0x5905050000000000000000000000000000000001n

/** B20 tokens of Base have addresses like this one. */
export const PLATFORM_TOKEN = 0xb200000000000000000000000000000000000001n

/** Programs that the node runs at addresses without code. */
export type Programs = ReadonlyMap<bigint, Code>

export const NO_PROGRAMS: Programs = new Map()

export function ownPrograms(): Programs {
  return new Map([[PLATFORM_TOKEN, toCode(runtimeOf('PlatformToken'))]])
}

export function ownAccounts(): GenesisAccount[] {
  const empty = { balance: 0n, nonce: 1n, code: new Uint8Array(), storage: [] }
  // The issuer of the token deploys the other contracts too.
  const issuer = [0n, hexToAddress(simulatedUsers[0]!.address)] as const
  return [
    { ...empty, address: SPONSOR, balance: SPONSOR_WEI, nonce: 0n },
    { ...empty, address: PLATFORM_TOKEN, storage: [issuer] },
    { ...empty, address: BASE_TIME, code: runtimeOf('BaseTime') },
  ]
}

const SPONSOR_WEI = 1_000_000n * 10n ** 18n

function runtimeOf(name: 'PlatformToken' | 'BaseTime'): Uint8Array {
  return hexToBytes(artifactOf(name).deployedBytecode)
}
