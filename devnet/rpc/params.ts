// JSON-RPC parameters as this node parses them: into bigints and bytes.
import { z } from 'zod'
import { type Hex, hexToBytes } from '../../src/chain/bytes/hex.ts'
import * as wire from '../../src/contract/rpc-params.ts'

export const address = wire.address.transform(BigInt)
/** A hash stays lower-case text, because it is only looked up. */
export const hash = wire.hash.transform((value) => value as Hex)
export const bytes = wire.bytes.transform(hexToBytes)
export const { quantity, slot, callObject, stateOverrides, blockOverrides } = wire
const SMALL = 'must be a hex quantity below 2^48'
export const smallQuantity = z
  .string(SMALL)
  .regex(/^0x0*[0-9a-fA-F]{1,12}$/, SMALL)
  .transform(Number)
export const flag = z.boolean('must be true or false')

export type { BlockParameter } from '../../src/contract/rpc-params.ts'

export const requiredBlock = wire.blockParameter
export const block = wire.blockParameter.nullish().transform((value) => value ?? LATEST)

export const LATEST: wire.BlockParameter = { type: 'tag', tag: 'latest' }
