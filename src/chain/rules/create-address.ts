// The address of a new contract.
import { bigintToBytes, bytesToBigint, writeWord } from '../bytes/hex.ts'
import { keccak256 } from '../bytes/keccak.ts'
import { encodeRlp } from '../bytes/rlp.ts'

/** CREATE, and transactions without a recipient. `nonce` is the creator's nonce before the creation. */
export function createAddress(creator: bigint, nonce: bigint): bigint {
  return addressFromHash(keccak256(encodeRlp([bigintToBytes(creator, 20), nonce])))
}

/** CREATE2 (EIP-1014). */
export function create2Address(creation: { creator: bigint; salt: bigint; initCode: Uint8Array }): bigint {
  const preimage = new Uint8Array(85)
  preimage[0] = 0xff
  preimage.set(bigintToBytes(creation.creator, 20), 1)
  writeWord(preimage, 21, creation.salt)
  preimage.set(keccak256(creation.initCode), 53)
  return addressFromHash(keccak256(preimage))
}

function addressFromHash(hash: Uint8Array) {
  return bytesToBigint(hash, 12, 32)
}
