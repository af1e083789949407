// Resolves a block parameter to the block and the state after it.
import { serverError } from '../../src/evm/call/call-failures.ts'
import type { StateSource } from '../../src/evm/state/state-source.ts'
import type { ReadableChain, StateTag } from '../chain/chain.ts'
import type { ChainBlock } from '../chain/included-transaction.ts'
import { headerNotFound } from './failures.ts'
import type { BlockParameter } from './params.ts'

export function findBlock(chain: ReadableChain, parameter: BlockParameter): ChainBlock | null {
  switch (parameter.type) {
    case 'number':
      return chain.blockByNumber(parameter.number)
    case 'hash': {
      const block = chain.blockByHash(parameter.hash as `0x${string}`)
      if (block === null || !parameter.requireCanonical || isCanonical(chain, block)) return block
      throw serverError('hash is not currently canonical')
    }
    case 'tag':
      return blockOfTag(chain, parameter.tag)
  }
}

export type StateOfBlock = { readonly block: ChainBlock; readonly at: StateTag; readonly source: StateSource }

/** Throws if the block is unknown or its state is not available any more. */
export function stateOf(chain: ReadableChain, parameter: BlockParameter): StateOfBlock {
  const block = findBlock(chain, parameter)
  if (block === null) throw headerNotFound()
  const at = stateTagOf(chain, block)
  const source = chain.stateAt(at)
  if (source === null) throw stateIsGone(block)
  return { block, at, source }
}

export function stateIsGone({ header }: ChainBlock) {
  return serverError(`historical state ${header.stateRoot} is not available`)
}

/** A block that is not canonical is the open block. */
function stateTagOf(chain: ReadableChain, block: ChainBlock): StateTag {
  return isCanonical(chain, block) ? block.header.number : 'pending'
}

function isCanonical(chain: ReadableChain, { header, hash }: ChainBlock): boolean {
  return chain.hashOf(header.number) === hash
}

function blockOfTag(chain: ReadableChain, tag: Extract<BlockParameter, { type: 'tag' }>['tag']): ChainBlock | null {
  switch (tag) {
    case 'latest':
      return chain.head()
    case 'pending':
      return chain.pending()
    case 'earliest':
      return chain.blockByNumber(0)
    case 'safe':
      return chain.blockByNumber(chain.safeNumber())
    case 'finalized':
      return chain.blockByNumber(chain.finalizedNumber())
  }
}
