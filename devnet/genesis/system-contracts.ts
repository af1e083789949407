// Contracts whose code is fixed by their standard, byte for byte.

import type { Hex } from '../../src/chain/bytes/hex.ts'

/** EIP-4788: roots of the beacon chain. */
export const beaconRoots = {
  address: 0x000f3df6d732807ef1319fb7b8bb8522d0beac02n,
  code: '0x3373fffffffffffffffffffffffffffffffffffffffe14604d57602036146024575f5ffd5b5f35801560495762001fff810690815414603c575f5ffd5b62001fff01545f5260205ff35b5f5ffd5b62001fff42064281555f359062001fff015500',
} as const satisfies SystemContract

/** EIP-2935: hashes of the last 8,191 blocks. */
export const historyStorage = {
  address: 0x0000f90827f1c53a10cb7a02335b175320002935n,
  code: '0x3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500',
} as const satisfies SystemContract

/** The deployment proxy that tools expect on every chain: calldata is a salt and creation code, deployed with CREATE2. */
export const deploymentProxy = {
  address: 0x4e59b44847b379578588920ca78fbf26c0b4956cn,
  code: '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3',
} as const satisfies SystemContract

type SystemContract = { readonly address: bigint; readonly code: Hex }
