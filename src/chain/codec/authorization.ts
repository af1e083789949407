// EIP-7702: an account authorizes, by signature, that calls to it run the code of another address.
import { bigintToBytes } from '../bytes/hex.ts'
import { keccak256 } from '../bytes/keccak.ts'
import { encodeTyped, type RlpInput, type RlpItem } from '../bytes/rlp.ts'
import { addressField, expectFields, listField, uint8Field, uint64Field, uint256Field } from '../bytes/rlp-fields.ts'
import { isLowS, recoverAddress, type Signature, signHash } from '../bytes/secp256k1.ts'

export type Authorization = UnsignedAuthorization & { readonly signature: Signature }

export type UnsignedAuthorization = {
  /** Zero is valid on every chain. */
  readonly chainId: bigint
  readonly address: bigint
  readonly nonce: bigint
}

/** The signer, or null. Null makes the authorization void, not the transaction. */
export function authorityOf(authorization: Authorization): bigint | null {
  if (!isLowS(authorization.signature.s)) return null
  return recoverAddress(authorizationHash(authorization), authorization.signature)
}

export function signAuthorization(authorization: UnsignedAuthorization, privateKey: Uint8Array): Authorization {
  return {
    ...authorization,
    signature: signHash(authorizationHash(authorization), privateKey),
  }
}

export function authorizationListToRlp(list: readonly Authorization[]): RlpInput {
  return list.map((each) => [...unsignedFields(each), each.signature.yParity, each.signature.r, each.signature.s])
}

export function authorizationListField(item: RlpItem | undefined): Authorization[] {
  return listField(item, 'authorizationList').map((each) => {
    const fields = listField(each, 'authorization')
    expectFields(fields, 6, 'authorization')
    const [chainId, address, nonce, yParity, r, s] = fields
    return {
      chainId: uint256Field(chainId, 'authorization chainId'),
      address: addressField(address, 'authorization address'),
      nonce: uint64Field(nonce, 'authorization nonce'),
      signature: {
        yParity: Number(uint8Field(yParity, 'authorization yParity')),
        r: uint256Field(r, 'authorization r'),
        s: uint256Field(s, 'authorization s'),
      },
    }
  })
}

const MAGIC = 0x05

function authorizationHash(authorization: UnsignedAuthorization) {
  return keccak256(encodeTyped(MAGIC, unsignedFields(authorization)))
}

function unsignedFields({ chainId, address, nonce }: UnsignedAuthorization): RlpInput[] {
  return [chainId, bigintToBytes(address, 20), nonce]
}
