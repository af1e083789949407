// Who created a contract, and where.
import type { Hex } from '../chain/bytes/hex.ts'
import { contractCreations } from '../store/read/contracts.ts'
import { transactionsByHash } from '../store/read/transactions.ts'
import type { AnswerTo } from './state/chain-now.ts'

export const contractCreationInfo: AnswerTo<'contractCreationInfo'> = async ({ queries }, { contractAddress }) => {
  const asked = [...new Set(contractAddress)] as Hex[]
  const creations = await contractCreations(queries, asked)
  const hashes = [...creations.values()].flatMap(({ transactionHash }) => transactionHash ?? [])
  const senders = new Map(
    (await transactionsByHash(queries, [...new Set(hashes)])).map((row) => [row.hash, row.sender]),
  )
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
