// Calldata of transactions that call or deploy one of the devnet's contracts.

import type { AbiFunction } from 'viem'
import { concatHex, encodeAbiParameters, toFunctionSelector } from 'viem/utils'
import type { Hex } from '../../src/chain/bytes/hex.ts'
import { type Artifact, artifactOf, type LinkReferences } from './artifact.ts'
import type { ContractName } from './catalogue.ts'

/** Calldata of a function by its name, or by its whole signature where the name alone is ambiguous. */
export function callOf(contract: ContractName, functionName: string, args: readonly unknown[] = []): Hex {
  const { selector, inputs } = encoderOf(contract, functionName)
  return inputs.length === 0 ? selector : concatHex([selector, encodeAbiParameters(inputs, args)])
}

/** Creation code with linked libraries and constructor arguments. */
export function creationOf(
  contract: ContractName,
  args: readonly unknown[] = [],
  libraries: Readonly<Record<string, Hex>> = {},
): Hex {
  const artifact = artifactOf(contract)
  const code = link(artifact.bytecode, artifact.linkReferences, libraries)
  const inputs = artifact.abi.find((item) => item.type === 'constructor')?.inputs ?? []
  return inputs.length === 0 ? code : concatHex([code, encodeAbiParameters(inputs, args)])
}

/** Code with the addresses of its libraries, given by name, filled in where the compiler left room for them. */
export function link(code: Hex, references: LinkReferences, libraries: Readonly<Record<string, Hex>>): Hex {
  let linked: string = code
  for (const [library, ranges] of Object.values(references).flatMap((file) => Object.entries(file))) {
    const address = libraries[library]
    if (!address) throw new Error(`The address of library ${library} is missing`)
    for (const { start, length } of ranges) {
      const at = 2 + 2 * start
      linked = linked.slice(0, at) + address.slice(2).toLowerCase() + linked.slice(at + 2 * length)
    }
  }
  return linked as Hex
}

type Encoder = { readonly selector: Hex; readonly inputs: AbiFunction['inputs'] }

// A selector costs a hash and a search through the ABI, so both are done once for each function.
const encoders = new Map<string, Encoder>()

function encoderOf(contract: ContractName, functionName: string): Encoder {
  const key = `${contract}.${functionName}`
  const known = encoders.get(key)
  if (known) return known
  const { inputs, ...rest } = onlyFunctionOf(artifactOf(contract), functionName)
  const encoder = { selector: toFunctionSelector({ inputs, ...rest }), inputs }
  encoders.set(key, encoder)
  return encoder
}

function onlyFunctionOf({ abi, contractName }: Artifact, name: string): AbiFunction {
  const functions = abi.filter((item) => item.type === 'function')
  const found = functions.filter((item) => item.name === name || signatureOf(item) === name)
  if (found.length !== 1) throw new Error(`${contractName} has ${found.length} functions called ${name}`)
  return found[0]!
}

function signatureOf({ name, inputs }: AbiFunction): string {
  return `${name}(${inputs.map((input) => input.type).join(',')})`
}
