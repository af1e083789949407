// The answers of the Etherscan-style facade. Clients test for these very strings, so they are spelled as Etherscan spells them.

export type EtherscanAnswer = { status: '0' | '1'; message: string; result: unknown }

export function answered(result: unknown): EtherscanAnswer {
  return { status: '1', message: 'OK', result }
}

/** An empty list is not an error, and yet has status 0. */
export function listed(rows: readonly unknown[], whenEmpty: string): EtherscanAnswer {
  return rows.length > 0 ? answered(rows) : { status: '0', message: whenEmpty, result: [] }
}

export const NO_TRANSACTIONS = 'No transactions found'
export const NO_RECORDS = 'No records found'

/** The request cannot be answered; the message is the answer's `result`. */
export class EtherscanRefusal extends Error {
  override readonly name = 'EtherscanRefusal'
  readonly answer: EtherscanAnswer

  constructor(result: string, answer: EtherscanAnswer = { status: '0', message: 'NOTOK', result }) {
    super(result)
    this.answer = answer
  }
}

const WINDOW_MESSAGE = 'Result window is too large, PageNo x Offset size must be less than or equal to 10000'

export function windowTooLarge(): EtherscanRefusal {
  return new EtherscanRefusal(WINDOW_MESSAGE, { status: '0', message: WINDOW_MESSAGE, result: null })
}
