// The sentences of a verdict for a source that does not compile to the code on chain: where the codes differ, what is there, and
// what the likely cause is.
import { equalBytes } from '../../chain/bytes/hex.ts'
import type { CompilerId } from '../input/compiler-version.ts'
import { optimizerOf, type StandardInput } from '../input/standard-input.ts'
import { compilerOnChain, trailingMetadata } from './code-metadata.ts'
import type { CompiledContract } from './compiled-contract.ts'
import { likelySetting } from './likely-setting.ts'
import type { CodeMismatch } from './match.ts'
import { type ChainCode, type Difference, type FailureCode, failureVerdict, type Mismatch } from './verdict.ts'

export type ExplainedMismatch = {
  readonly compiler: CompilerId
  readonly compiled: CompiledContract
  readonly input: StandardInput
  readonly chain: ChainCode
  readonly mismatch: CodeMismatch
  /** `file:Name` of other contracts of the sources that do match. */
  readonly matchingContracts: readonly string[]
}

export function explainMismatch(explained: ExplainedMismatch): Mismatch {
  const { compiler, compiled, input, chain, mismatch, matchingContracts } = explained
  const { difference } = mismatch
  const onChain = compilerOnChain(chain)
  const isOtherCompiler =
    onChain !== undefined && onChain !== compiler.version && !compiler.longVersion.startsWith(onChain)
  const guess =
    compiler.language === 'solidity' && !isOtherCompiler && mismatch.reason.type === 'code'
      ? likelySetting({
          compiled,
          chain: chain.runtime,
          optimizer: optimizerOf(input.settings),
          viaIr: input.settings.viaIR === true,
        })
      : undefined
  const others =
    matchingContracts.length > 0 ? `The code on chain is that of ${matchingContracts.join(', ')}.` : undefined
  const code = failureCodeOf(explained)
  const sentences = [
    headline(code, explained),
    difference && code === 'no_match' ? locationSentence(difference) : undefined,
    others,
    isOtherCompiler
      ? `The code on chain says that it was compiled by ${onChain}, not ${compiler.longVersion}.`
      : undefined,
    others ? undefined : guess,
  ]
  return failureVerdict(code, sentences.filter((sentence) => sentence !== undefined).join(' '), {
    compilerSubmitted: compiler.longVersion,
    ...(onChain !== undefined && { compilerOnChain: onChain }),
    ...(difference && { firstDifference: difference }),
    ...(matchingContracts.length > 0 && { matchingContracts }),
    ...(guess !== undefined && { likelySetting: guess }),
  })
}

function failureCodeOf(explained: ExplainedMismatch): FailureCode {
  switch (explained.mismatch.reason.type) {
    case 'immutable':
      return 'immutable_mismatch'
    case 'library':
    case 'declaredLibrary':
      return 'library_mismatch'
    case 'code':
      return hasExtraFileBug(explained) ? 'extra_file_input_bug' : 'no_match'
  }
}

function headline(code: FailureCode, { compiled, mismatch }: ExplainedMismatch): string {
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

function locationSentence({ code, offset, lies, compiledLength, chainLength }: Difference): string {
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

/** A bug of solc 0.6.12 and 0.7.0 with the optimizer: the same metadata, but other code. */
function hasExtraFileBug({ compiler, compiled, chain, input }: ExplainedMismatch): boolean {
  if (!['0.6.12', '0.7.0'].includes(compiler.version) || !optimizerOf(input.settings).enabled) return false
  const [ours, theirs] = [compiled.runtime.bytes, chain.runtime].map((code) => {
    const found = trailingMetadata(code)
    return found && code.subarray(found.start)
  })
  return ours !== undefined && theirs !== undefined && equalBytes(ours, theirs)
}
