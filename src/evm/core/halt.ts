// The reasons for which a frame fails. Operations throw halts, and the frame stores its halt. Most of them are constants and none is an
// Error, because a stack trace costs more than the frame itself. The texts are those of geth, which clients compare.
// cspell:ignore SLOTNUM DATALOADN DATASIZE DATACOPY RJUMP RJUMPI RJUMPV CALLF RETF JUMPF DUPN SWAPN RETURNCONTRACT RETURNDATALOAD

export class Halt {
  readonly message: string
  /** A revert, and a call that never began, return the remaining gas to the caller. Every other halt burns it. */
  readonly keepsGas: boolean

  constructor(message: string, keepsGas = false) {
    this.message = message
    this.keepsGas = keepsGas
  }
}

export const OUT_OF_GAS = new Halt('out of gas')
export const INVALID_JUMP = new Halt('invalid jump destination')
export const WRITE_PROTECTION = new Halt('write protection')
/** geth finds these two while it computes the price, and says so. */
export const REENTRANCY_SENTRY = new Halt('out of gas: not enough gas for reentrancy sentry')
export const WRITE_PROTECTION_IN_PRICE = new Halt('out of gas: write protection')
export const RETURN_DATA_OUT_OF_BOUNDS = new Halt('return data out of bounds')
export const MEMORY_OVERFLOW = new Halt('gas uint64 overflow')

export const REVERTED = new Halt('execution reverted', true)
export const CALL_TOO_DEEP = new Halt('max call depth exceeded', true)
export const INSUFFICIENT_BALANCE = new Halt('insufficient balance for transfer', true)
export const NONCE_OVERFLOW = new Halt('nonce uint64 overflow', true)

export const ADDRESS_COLLISION = new Halt('contract address collision')
export const INITCODE_TOO_LONG = new Halt('max initcode size exceeded')
export const CODE_TOO_LONG = new Halt('max code size exceeded')
export const CODE_DEPOSIT_OUT_OF_GAS = new Halt('contract creation code storage out of gas')
export const CODE_BEGINS_WITH_EF = new Halt('invalid code: must not begin with 0xef')

export function stackUnderflow(has: number, needs: number) {
  return new Halt(`stack underflow (${has} <=> ${needs})`)
}
export function stackOverflow(has: number, limit: number) {
  return new Halt(`stack limit reached ${has} (${limit})`)
}
export function invalidOpcode(name: string) {
  return new Halt(`invalid opcode: ${name}`)
}

export function nameOfInvalid(opcode: number): string {
  return NAMED_BY_GETH[opcode] ?? `opcode 0x${opcode.toString(16)} not defined`
}

/** 0xfe is invalid by definition (EIP-141); the others are operations of no fork that we know, which geth names although it refuses them. */
const NAMED_BY_GETH: Readonly<Record<number, string>> = {
  75: 'SLOTNUM',
  208: 'DATALOAD',
  209: 'DATALOADN',
  210: 'DATASIZE',
  211: 'DATACOPY',
  224: 'RJUMP',
  225: 'RJUMPI',
  226: 'RJUMPV',
  227: 'CALLF',
  228: 'RETF',
  229: 'JUMPF',
  230: 'DUPN',
  231: 'SWAPN',
  232: 'EXCHANGE',
  236: 'EOFCREATE',
  238: 'RETURNCONTRACT',
  247: 'RETURNDATALOAD',
  248: 'EXTCALL',
  249: 'EXTDELEGATECALL',
  251: 'EXTSTATICCALL',
  254: 'INVALID',
}
