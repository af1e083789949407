// One sentence that says what a transaction did, by simple rules over its transfers and its method.
import type { ComponentChildren } from 'preact'
import type { TransactionDetail } from '../../../src/contract/pages.ts'
import { calledMethod } from '../text/methods.ts'
import { Amount } from '../values/amount.tsx'
import { Address, Token } from '../values/references.tsx'

type Transfer = TransactionDetail['tokenTransferDetails'][number]

const APPROVALS = new Set(['0x095ea7b3', '0xa22cb465'])
const ZERO = `0x${'0'.repeat(40)}`
const DEPOSIT = '126'

export function Summary({ transaction }: { transaction: TransactionDetail }) {
  return <p class="summary">{sentenceOf(transaction)}</p>
}

function sentenceOf(transaction: TransactionDetail): ComponentChildren {
  const { methodId, amount, transactionSymbol: symbol, contractAddress, transactionType, state } = transaction
  const from = transaction.inputDetails[0]?.inputHash ?? ''
  const { outputHash: to = '', isContract = false } = transaction.outputDetails[0] ?? {}
  const sender = <Address address={from} />
  const tried = state === 'fail' ? ' tried to ' : ' '
  const verb = (plain: string, third: string) => (state === 'fail' ? plain : third)

  if (to === '') {
    return (
      <>
        {sender}
        {tried}
        {verb('create', 'created')} a contract{' '}
        {contractAddress !== '' && <Address address={contractAddress} isContract />}
      </>
    )
  }
  if (transactionType === DEPOSIT && methodId === '') {
    return (
      <>
        Deposit from L1: {sender} received <Amount value={amount} symbol={symbol} />
      </>
    )
  }
  if (APPROVALS.has(methodId)) {
    return (
      <>
        {sender}
        {tried}
        {verb('approve', 'approved')} a spender of <Address address={to} isContract />
      </>
    )
  }
  const swap = swapOf(transaction.tokenTransferDetails, from)
  if (swap) {
    return (
      <>
        {sender} swapped <Moved of={swap.given} /> for <Moved of={swap.got} />
      </>
    )
  }
  const [only] = transaction.tokenTransferDetails
  if (only && transaction.tokenTransferDetails.length === 1) return oneTransfer(only)
  if (methodId === '') {
    return (
      <>
        {sender}
        {tried}
        {verb('send', 'sent')} <Amount value={amount} symbol={symbol} /> to{' '}
        <Address address={to} isContract={isContract} />
      </>
    )
  }
  return (
    <>
      {sender}
      {tried}
      {verb('call', 'called')} <span class="method">{calledMethod(transaction)}</span> of{' '}
      <Address address={to} isContract={isContract} />
      {amount !== '0' && (
        <>
          {' '}
          with <Amount value={amount} symbol={symbol} />
        </>
      )}
    </>
  )
}

function oneTransfer(transfer: Transfer): ComponentChildren {
  if (transfer.from === ZERO) {
    return (
      <>
        <Moved of={transfer} /> minted to <Address address={transfer.to} isContract={transfer.isToContract} />
      </>
    )
  }
  if (transfer.to === ZERO) {
    return (
      <>
        <Address address={transfer.from} isContract={transfer.isFromContract} /> burned <Moved of={transfer} />
      </>
    )
  }
  return (
    <>
      <Address address={transfer.from} isContract={transfer.isFromContract} /> sent <Moved of={transfer} /> to{' '}
      <Address address={transfer.to} isContract={transfer.isToContract} />
    </>
  )
}

/** A swap: the sender gave one token and received another one. */
function swapOf(transfers: readonly Transfer[], sender: string) {
  const given = transfers.filter(({ from, to }) => from === sender && to !== ZERO)
  const got = transfers.filter(({ to, from }) => to === sender && from !== ZERO)
  if (given.length !== 1 || got.length !== 1) return undefined
  return given[0]!.tokenContractAddress === got[0]!.tokenContractAddress
    ? undefined
    : { given: given[0]!, got: got[0]! }
}

function Moved({ of }: { of: Transfer }) {
  return (
    <>
      {of.tokenId === '' && <Amount value={of.amount} symbol="" />}{' '}
      <Token address={of.tokenContractAddress} symbol={of.symbol} name={of.token} />
      {of.tokenId !== '' && <span class="item">#{of.tokenId.slice(0, 12)}</span>}
    </>
  )
}
