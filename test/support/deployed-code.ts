// Makes chain code of published artifacts: libraries linked, immutables set, constructor arguments appended.
import { type AbiParameter, encodeAbiParameters } from 'viem'
import { addressToHex, bytesToHex, concatBytes, type Hex, hexToBytes } from '../../src/chain/bytes/hex.ts'
import { keccak256 } from '../../src/chain/bytes/keccak.ts'
import { createAddress } from '../../src/chain/rules/create-address.ts'
import { call } from '../../src/evm/call/call.ts'
import { MemoryState } from '../../src/evm/state/memory-state.ts'
import { WorldState } from '../../src/evm/state/world-state.ts'
import type { CompiledCode, CompiledContract, Placeholder } from '../../src/verification/matching/compiled-contract.ts'
import { constructorInputs } from '../../src/verification/matching/constructor-arguments.ts'
import type { ChainCode } from '../../src/verification/matching/verdict.ts'
import { blockOf } from './evm.ts'
import type { PublishedArtifact } from './vector-packages.ts'

export const ADDRESS: Hex = '0x00000000000000000000000000000000c0ffee01'
const CALL_PROTECTION = /^0x730{40}3014/

/** The code is the artifact's; where libraries and immutables are in it is taken from our own compilation. */
export function deployedFrom(artifact: PublishedArtifact, compiled: CompiledContract): ChainCode {
  const runtime = linked(artifact.runtime, compiled.runtime)
  if (CALL_PROTECTION.test(bytesToHex(runtime))) runtime.set(hexToBytes(ADDRESS), 1)
  for (const placeholder of compiled.runtime.immutables) fill(runtime, placeholder)
  const args = encodeAbiParameters(
    constructorInputs(compiled.abi),
    constructorInputs(compiled.abi).map((input) => sampleOf(input)),
  )
  return {
    address: ADDRESS,
    runtime,
    creation: concatBytes(linked(artifact.creation, compiled.creation), hexToBytes(args)),
  }
}

/** Runs creation code in our EVM and returns the code that it deploys. */
export function deployedByEngine(creation: Hex): ChainCode {
  const data = hexToBytes(creation)
  const block = blockOf('osaka', { baseFee: 0n, gasLimit: 16_000_000n })
  const { ok, output, failure } = call(new WorldState(new MemoryState([])), block, { to: null, data })
  if (!ok) throw new Error(`the creation code does not run: ${failure?.message}`)
  return { address: addressToHex(createAddress(0n, 0n)), runtime: output, creation: data }
}

/** Changes the second value of the first placeholder that has two or more; undefined where there is none. */
export function withInconsistentPlaceholder(
  code: Uint8Array,
  placeholders: readonly Placeholder[],
): Uint8Array | undefined {
  const twice = placeholders.find(({ ranges }) => ranges.length > 1)
  return twice && withFlippedByte(code, twice.ranges[1]!.end - 1)
}

export function withFlippedByte(code: Uint8Array, at: number): Uint8Array {
  const changed = Uint8Array.from(code)
  changed[at] = changed[at]! ^ 0x01
  return changed
}

function linked(hex: string, { libraries }: CompiledCode): Uint8Array {
  const bytes = hexToBytes(`0x${hex.replace(/^0x/, '').replace(/__.{38}/g, '0'.repeat(40))}`)
  for (const placeholder of libraries) fill(bytes, placeholder)
  return bytes
}

/** The same value in all ranges, derived from the name. */
function fill(code: Uint8Array, { name, ranges }: Placeholder): void {
  const value = name === 'library_deploy_address' ? paddedAddress() : keccak256(Buffer.from(name))
  for (const { start, end } of ranges) code.set(value.subarray(32 - (end - start)), start)
}

function paddedAddress(): Uint8Array {
  return concatBytes(new Uint8Array(12), hexToBytes(ADDRESS))
}

function sampleOf(parameter: AbiParameter): unknown {
  const array = /^(.*)\[(\d*)\]$/.exec(parameter.type)
  if (array) {
    const element = { ...parameter, type: array[1]! } as AbiParameter
    return Array.from({ length: Number(array[2] || 2) }, () => sampleOf(element))
  }
  if (parameter.type === 'tuple' && 'components' in parameter) {
    return Object.fromEntries(parameter.components.map((component) => [component.name!, sampleOf(component)]))
  }
  if (parameter.type === 'string') return 'Aurora'
  if (parameter.type === 'bool') return true
  if (parameter.type === 'address') return ADDRESS
  if (parameter.type === 'bytes') return '0x123456'
  const fixed = /^bytes(\d+)$/.exec(parameter.type)
  return fixed ? `0x${'ab'.repeat(Number(fixed[1]))}` : 7n
}
