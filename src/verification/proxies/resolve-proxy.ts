// Resolves a proxy: whether a contract is one, and its implementation. It is asked at read time, since upgrades change the answer.
// First the contract is run (`delegation.ts`). Where it does not pass on an unknown call (diamonds, and proxies that are paused or
// refuse strangers), the slots of the standards and the facets of a diamond are read.
import { decodeAbiParameters } from 'viem/utils'
import { addressToHex, bytesToHex, type Hex, hexToAddress } from '../../chain/bytes/hex.ts'
import { type Delegation, delegationOf } from './delegation.ts'
import type { ReadNode } from './node-state.ts'

export async function resolveProxy(
  node: ReadNode,
  { address, code }: { address: Hex; code: Uint8Array },
): Promise<ResolvedProxy | undefined> {
  const delegate = eip7702Delegate(code)
  if (delegate) return proxyOf('eip7702', delegate)
  if (!code.includes(DELEGATECALL)) return undefined
  const delegation = await delegationOf(node, { address: hexToAddress(address), code })
  if (delegation) return proxyOf(kindOf(delegation, code), addressToHex(delegation.target))
  return declaredProxy(node, address)
}

const DELEGATECALL = 0xf4

/** EIP-7702: the address in the code of an account that delegated itself. */
function eip7702Delegate(code: Uint8Array): Hex | undefined {
  return code.length === 23 && code[0] === 0xef && code[1] === 0x01 && code[2] === 0x00
    ? bytesToHex(code.subarray(3))
    : undefined
}

function proxyOf(kind: ProxyKind, ...implementations: readonly [Hex, ...Hex[]]): ResolvedProxy {
  return {
    kind,
    implementation: implementations[0],
    implementations,
  }
}

const SLOTS = {
  eip1967: 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbcn,
  eip1822: 0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7n,
  zeppelinos: 0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3n,
} as const

/** `masterCopy()`, which a Safe's proxy answers itself. */
const MASTER_COPY = 'a619486e'
/** GAS, DELEGATECALL: in a clone these follow the address directly. */
const GAS_DELEGATECALL = '5af4'

function kindOf({ slot, target, isFromBeacon }: Delegation, code: Uint8Array): ProxyKind {
  if (isFromBeacon) return 'beacon'
  if (slot !== null) {
    const known = Object.entries(SLOTS).find(([, each]) => each === slot)
    if (known) return known[0] as keyof typeof SLOTS
    return slot === 0n && bytesToHex(code).includes(MASTER_COPY) ? 'safe' : 'slot'
  }
  // An address that begins with zeros may be pushed without them.
  const pushed = addressToHex(target)
    .slice(2)
    .replace(/^(00)+/, '')
  const digits = bytesToHex(code)
  if (digits.includes(pushed + GAS_DELEGATECALL)) return 'minimal'
  return digits.includes(pushed) ? 'immutable' : 'other'
}

const FACET_ADDRESSES = '0x52ef6b2c'

/** The implementation in a slot of the standards, or the facets of a diamond; only where the implementation has code. */
async function declaredProxy(node: ReadNode, address: Hex): Promise<ResolvedProxy | undefined> {
  const kinds = Object.keys(SLOTS) as (keyof typeof SLOTS)[]
  const answers = await node.batch([
    ...kinds.map((kind) => ({
      method: 'eth_getStorageAt',
      params: [address, `0x${SLOTS[kind].toString(16)}`, 'latest'],
    })),
    { method: 'eth_call', params: [{ to: address, data: FACET_ADDRESSES }, 'latest'] },
  ])
  const results = answers.map((answer) => (answer.type === 'result' ? String(answer.result) : '0x'))
  const declared = kinds.flatMap((kind, i): ResolvedProxy[] => {
    const value = BigInt(results[i] === '0x' ? 0 : results[i]!)
    return value === 0n || value >> 160n !== 0n ? [] : [proxyOf(kind, addressToHex(value))]
  })
  const facets = addressesIn(results[kinds.length]!)
  if (facets) declared.push(proxyOf('diamond', ...facets))
  const [found] = declared
  if (!found) return undefined
  const [code] = await node.batch([{ method: 'eth_getCode', params: [found.implementation, 'latest'] }])
  return code?.type === 'result' && code.result !== '0x' ? found : undefined
}

function addressesIn(output: string): [Hex, ...Hex[]] | undefined {
  try {
    const [addresses] = decodeAbiParameters([{ type: 'address[]' }], output as Hex)
    const [first, ...rest] = addresses.map((each) => each.toLowerCase() as Hex)
    return first === undefined ? undefined : [first, ...rest]
  } catch {
    return undefined
  }
}

/** Where a proxy has the address of its implementation. */
export type ProxyKind =
  /** An account that delegated itself (EIP-7702). */
  | 'eip7702'
  /** In its code: a clone (EIP-1167 and similar), or an immutable. */
  | 'minimal'
  | 'immutable'
  /** In a slot: that of EIP-1967, of EIP-1822, of older OpenZeppelin, slot 0 of a Safe, any other. */
  | 'eip1967'
  | 'eip1822'
  | 'zeppelinos'
  | 'safe'
  | 'slot'
  /** Another contract returns it. */
  | 'beacon'
  /** Several implementations, one for each selector (EIP-2535). */
  | 'diamond'
  | 'other'

export type ResolvedProxy = {
  readonly kind: ProxyKind
  /** The first facet of a diamond. */
  readonly implementation: Hex
  /** All facets of a diamond, otherwise the one implementation. */
  readonly implementations: readonly Hex[]
}
