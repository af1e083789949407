// Words for a source that does not make the code on chain: where they part, what lies there, and what may be the cause.
import { equalBytes } from '../../chain/bytes/hex.ts'
import type { Compiler } from '../compilers/compiler.ts'
import { optimizerOf } from '../input/settings.ts'
import type { StandardInput } from '../input/standard-input.ts'
import { trailingMetadata } from './code-metadata.ts'
import type { CompiledContract } from './compiled-contract.ts'
import { likelySetting } from './likely-setting.ts'
import type { CodeMismatch } from './match.ts'
import type { ChainCode, Difference, FailureCode, Mismatch } from './verdict.ts'
import { vyperVersionIn } from './vyper-footer.ts'

export type Explanation = {
  readonly compiler: Compiler
  readonly compiled: CompiledContract
  readonly input: StandardInput
  readonly chain: ChainCode
  readonly mismatch: CodeMismatch
  /** `file:Name` of others among the sources that do match. */
  readonly matchingContracts: readonly string[]
}

export function explained(explanation: Explanation): Mismatch {
  const { compiler, compiled, input, chain, mismatch, matchingContracts } = explanation
  const { difference } = mismatch
  const onChain = compilerOnChain(chain)
  const isOtherCompiler = onChain !== null && onChain !== compiler.version && !compiler.longVersion.startsWith(onChain)
  const guess =
    compiler.language === 'solidity' && !isOtherCompiler && mismatch.reason.type === 'code'
      ? likelySetting({
          compiled,
          chain: chain.runtime,
          optimizer: optimizerOf(input.settings),
          viaIr: input.settings.viaIR === true,
        })
      : null
  const others = matchingContracts.length > 0 ? `The code on chain is that of ${matchingContracts.join(', ')}.` : null
  const code = codeOf(explanation)
  const sentences = [
    headline(code, explanation),
    difference && code === 'no_match' ? placeSentence(difference) : null,
    others,
    isOtherCompiler ? `The code on chain says that it was compiled by ${onChain}, not ${compiler.longVersion}.` : null,
    others ? null : guess,
  ]
  return {
    type: 'failure',
    code,
    message: sentences.filter((sentence) => sentence !== null).join(' '),
    details: {
      compilerSubmitted: compiler.longVersion,
      ...(onChain !== null && { compilerOnChain: onChain }),
      ...(difference && { firstDifference: difference }),
      ...(matchingContracts.length > 0 && { matchingContracts }),
      ...(guess !== null && { likelySetting: guess }),
    },
  }
}

/** The version that the code carries: solc writes it since 0.5.9, Vyper since 0.3.4. */
export function compilerOnChain({ runtime, creation }: ChainCode): string | null {
  return trailingMetadata(runtime)?.compiler ?? vyperVersionIn(runtime) ?? (creation && vyperVersionIn(creation))
}

function codeOf(explanation: Explanation): FailureCode {
  switch (explanation.mismatch.reason.type) {
    case 'immutable':
      return 'immutable_mismatch'
    case 'library':
    case 'declaredLibrary':
      return 'library_mismatch'
    case 'code':
      return hasExtraFileBug(explanation) ? 'extra_file_input_bug' : 'no_match'
  }
}

function headline(code: FailureCode, { compiled, mismatch }: Explanation): string {
  const contract = `${compiled.file}:${compiled.name}`
  const { reason } = mismatch
  switch (reason.type) {
    case 'immutable':
      return `An immutable of ${contract} has one value in the source, but ${reason.values.length} different ones in the code on chain: ${reason.values.slice(0, 3).join(', ')}.`
    case 'library':
      return `The library ${reason.name} is linked to different addresses in the code on chain: ${reason.values.slice(0, 3).join(', ')}.`
    case 'declaredLibrary':
      return reason.values.length > 1
        ? `The library ${reason.name} is said to be at ${reason.values[0]}, but the code on chain is linked to ${reason.values[1]}.`
        : `The library ${reason.name} is not linked in the code on chain.`
    case 'code':
      return code === 'extra_file_input_bug'
        ? `${contract} has the same metadata as the code on chain, but other code: this compiler version makes different code when files are given that the contract does not need. Submit exactly the files of the original compilation.`
        : `The code of ${contract} is not the code on chain.`
  }
}

function placeSentence({ code, offset, lies, compiledLength, chainLength }: Difference): string {
  const lengths = compiledLength === chainLength ? '' : ` (compiled ${compiledLength} bytes, on chain ${chainLength})`
  const what = {
    metadata: 'in the metadata',
    immutable: 'in an immutable',
    library: 'in the address of a library',
    code: 'in the code itself',
    length: 'where one of them ends',
    constructorArguments: 'in the constructor arguments',
  }[lies]
  return `The ${code} code differs first at byte ${offset}, ${what}${lengths}.`
}

/** 0.6.12 and 0.7.0 with the optimizer: the same metadata and other code. */
function hasExtraFileBug({ compiler, compiled, chain, input }: Explanation): boolean {
  if (!['0.6.12', '0.7.0'].includes(compiler.version) || !optimizerOf(input.settings).enabled) return false
  const [ours, theirs] = [compiled.runtime.bytes, chain.runtime].map((code) => {
    const found = trailingMetadata(code)
    return found ? code.subarray(found.start) : null
  })
  return ours != null && theirs != null && equalBytes(ours, theirs)
}
