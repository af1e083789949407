// Decodes token transfers from logs. The standard follows from the topics of each log, never from the contract: ERC-20 and ERC-721 share
// one event and differ only in how many of its fields are indexed. Deposits and withdrawals of wrapped native currency are not transfers.
import { bytesToBigint } from '../bytes/hex.ts'
import type { Log } from '../codec/log.ts'

export type TokenStandard = 'erc20' | 'erc721' | 'erc1155'

export type TokenTransfer = {
  readonly standard: TokenStandard
  readonly token: bigint
  /** Zero for a mint. */
  readonly from: bigint
  /** Zero for a burn. */
  readonly to: bigint
  /** Always 1 for ERC-721. */
  readonly amount: bigint
  /** Zero for ERC-20. */
  readonly tokenId: bigint
}

/** Empty if the log is not a transfer; `malformed` if it has the event of a transfer but cannot be decoded. */
export function transfersFromLog(log: Log): readonly TokenTransfer[] | 'malformed' {
  switch (log.topics[0]) {
    case TRANSFER:
      return fromTransfer(log)
    case TRANSFER_SINGLE:
      return fromTransferSingle(log)
    case TRANSFER_BATCH:
      return fromTransferBatch(log)
    default:
      return NONE
  }
}

/** Transfer(address,address,uint256) */
const TRANSFER = 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3efn
/** TransferSingle(address,address,address,uint256,uint256) */
const TRANSFER_SINGLE = 0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62n
/** TransferBatch(address,address,address,uint256[],uint256[]) */
const TRANSFER_BATCH = 0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fbn

const NONE: readonly TokenTransfer[] = []
const WORD = 32
const ADDRESS_LIMIT = 1n << 160n

function fromTransfer({ address: token, topics, data }: Log): readonly TokenTransfer[] | 'malformed' {
  const [, from, to, tokenId] = topics
  if (!isAddress(from) || !isAddress(to)) return 'malformed'
  if (tokenId !== undefined) return [{ standard: 'erc721', token, from, to, amount: 1n, tokenId }]
  const amount = wordAt(data, 0)
  return amount === null ? 'malformed' : [{ standard: 'erc20', token, from, to, amount, tokenId: 0n }]
}

function fromTransferSingle({ address: token, topics, data }: Log): readonly TokenTransfer[] | 'malformed' {
  const [, , from, to] = topics
  const tokenId = wordAt(data, 0)
  const amount = wordAt(data, WORD)
  if (!isAddress(from) || !isAddress(to) || tokenId === null || amount === null) return 'malformed'
  return [{ standard: 'erc1155', token, from, to, amount, tokenId }]
}

function fromTransferBatch({ address: token, topics, data }: Log): readonly TokenTransfer[] | 'malformed' {
  const [, , from, to] = topics
  const ids = listAt(data, 0)
  const amounts = listAt(data, WORD)
  if (!isAddress(from) || !isAddress(to) || ids === null || amounts?.length !== ids.length) return 'malformed'
  return ids.map((tokenId, index) => ({ standard: 'erc1155', token, from, to, amount: amounts[index]!, tokenId }))
}

function isAddress(word: bigint | undefined): word is bigint {
  return word !== undefined && word < ADDRESS_LIMIT
}

function wordAt(data: Uint8Array, offset: number): bigint | null {
  return offset + WORD > data.length ? null : bytesToBigint(data, offset, offset + WORD)
}

/** The `uint256[]` whose position is stored at `offset`. Null if its length exceeds the data. */
function listAt(data: Uint8Array, offset: number): bigint[] | null {
  const start = numberAt(data, offset)
  const length = start === null ? null : numberAt(data, start)
  if (start === null || length === null || start + WORD + length * WORD > data.length) return null
  return Array.from({ length }, (_, index) => wordAt(data, start + WORD + index * WORD)!)
}

function numberAt(data: Uint8Array, offset: number): number | null {
  const word = wordAt(data, offset)
  return word === null || word > BigInt(data.length) ? null : Number(word)
}
