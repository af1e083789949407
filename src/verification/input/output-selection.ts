// Which outputs a compiler is asked for. Only the wanted contract's code is made where its name is known: that saves up to half
// of the time and nearly all of the output.
import { isAtLeast } from '../compilers/compiler.ts'
import type { ContractId } from '../matching/verdict.ts'
import type { Language } from './submission.ts'

export type OutputSelection = Readonly<Record<string, unknown>>

const CODE = [
  'evm.bytecode.object',
  'evm.bytecode.linkReferences',
  'evm.deployedBytecode.object',
  'evm.deployedBytecode.linkReferences',
  'evm.deployedBytecode.immutableReferences',
]
const ALL = ['abi', 'metadata', 'devdoc', 'userdoc', 'storageLayout', 'evm.methodIdentifiers', ...CODE]
const VYPER = ['abi', 'evm.bytecode', 'evm.deployedBytecode', 'evm.methodIdentifiers', 'userdoc', 'devdoc']

/** Everything of one contract; of all that have the name where the file is not known. */
export function outputsOf(
  language: Language,
  version: string,
  { file, name }: { file: string | null; name: string },
): OutputSelection {
  if (language === 'vyper') return vyperOutputs(version, file)
  // Compilers before 0.6 (some of 0.5 excepted) make nothing for a name in whatever file.
  const contract = file === null && !isAtLeast(version, '0.6.0') ? '*' : name
  return { [file ?? '*']: { [contract]: ALL } }
}

/** The code of every contract. */
export function allCode(language: Language, version: string): OutputSelection {
  return language === 'vyper' ? vyperOutputs(version, null) : { '*': { '*': ['abi', ...CODE] } }
}

/** The code of one contract, where all else is known. */
export function codeOf({ file, name }: ContractId): OutputSelection {
  return { [file]: { [name]: CODE } }
}

function vyperOutputs(version: string, file: string | null): OutputSelection {
  return {
    [file ?? '*']: isAtLeast(version, '0.4.1') ? [...VYPER, 'layout'] : VYPER,
  }
}
