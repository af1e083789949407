// Who created a contract, and where.
import { contractCreations } from '../store/read/contracts.ts'
import { transactionsByHash } from '../store/read/transactions.ts'
import type { AnswerTo } from './state/chain-context.ts'

export const contractCreationInfo: AnswerTo<'contractCreationInfo'> = async ({ reader }, { contractAddress }) => {
  const asked = [...new Set(contractAddress)]
  const creations = await contractCreations(reader, asked)
  const hashes = [...creations.values()].flatMap(({ transactionHash }) => transactionHash ?? [])
  const senders = new Map((await transactionsByHash(reader, [...new Set(hashes)])).map((row) => [row.hash, row.sender]))
  return {
    data: asked.flatMap((address) => {
      const creation = creations.get(address)
      if (!creation?.transactionHash || !creation.creator) return []
      const sender = senders.get(creation.transactionHash) ?? creation.creator
      return {
        contractAddress: address,
        contractCreator: sender,
        contractFactory: creation.creator === sender ? '' : creation.creator,
        txId: creation.transactionHash,
        height: String(creation.height),
        transactionTime: String(creation.timestampMs),
      }
    }),
  }
}
