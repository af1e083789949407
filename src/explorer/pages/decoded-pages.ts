// Logs, errors and unverified code in words, for pages: by the contract's own ABI, else guessed and said so.
import type { AbiFunction } from 'viem'
import { parseAbiItem } from 'viem/utils'
import type { Hex } from '../../chain/bytes/hex.ts'
import { Failure } from '../../contract/failure.ts'
import type { DecodedWords } from '../../contract/pages.ts'
import type { Verification } from '../../verification/jobs/verification.ts'
import { selectorsInCode } from '../../verification/selectors/abi-selectors.ts'
import type { Decoded } from '../../verification/selectors/decode.ts'
import type { ExplorerOptions } from '../state/chain-context.ts'
import { createMethodNames, type MethodNames, meaningOf } from '../state/method-names.ts'

type LogToDecode = { readonly address: string; readonly topics: readonly string[]; readonly data: string }

export type DecodedAnswers = {
  /** One for each log, in order. */
  logs: (logs: readonly LogToDecode[]) => Promise<(DecodedWords | undefined)[]>
  error: (data: string, address: string) => Promise<DecodedWords | undefined>
  /** Functions that the code seems to have, as far as their selectors are known. */
  guessedFunctions: (address: string) => Promise<AbiFunction[]>
  readonly methods: MethodNames
}

/** Selectors of one contract that are looked up. */
const MOST_SELECTORS = 250

export function createDecodedAnswers({ verification, readers }: ExplorerOptions): DecodedAnswers {
  const { queries } = readers
  return {
    methods: createMethodNames({ queries, verification }),
    logs: (logs) =>
      Promise.all(
        logs.map(({ address, topics, data }) =>
          inWords(verification, ({ decoder }) =>
            decoder.log({ topics: topics as readonly Hex[], data: data as Hex }, address as Hex),
          ),
        ),
      ),
    error: (data, address) => inWords(verification, ({ decoder }) => decoder.error(data as Hex, address as Hex)),
    guessedFunctions: async (address) => {
      if (!verification) return []
      const { code } = await verification.codeAt(address as Hex)
      const functions = await Promise.all(
        selectorsInCode(code, MOST_SELECTORS).map(async (selector) => {
          const text = await meaningOf(queries, selector)
          return text === undefined ? [] : [parseAbiItem(text as never) as AbiFunction]
        }),
      )
      return functions.flat().sort((a, b) => a.name.localeCompare(b.name))
    },
  }
}

/** Empty where the node does not answer: a page without decoded words is better than no page. */
async function inWords(
  verification: Verification | undefined,
  decode: (verification: Verification) => Promise<Decoded | undefined>,
): Promise<DecodedWords | undefined> {
  if (!verification) return undefined
  try {
    const decoded = await decode(verification)
    return decoded && shown(decoded)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

function shown({ name, arguments: list, isGuess }: Decoded): DecodedWords {
  return {
    name,
    isGuess,
    arguments: list.map(({ name: argument, type, value }) => ({
      name: argument,
      type,
      value: typeof value === 'string' ? value : JSON.stringify(value),
    })),
  }
}
