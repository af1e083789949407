// The developer accounts, whose keys are public: the node signs for them.
import { bigintToBytes, bytesToHex, concatBytes, hexToAddress, hexToBytes } from '../../../src/chain/bytes/hex.ts'
import { keccak256 } from '../../../src/chain/bytes/keccak.ts'
import { signHash } from '../../../src/chain/bytes/secp256k1.ts'
import { signTransaction } from '../../../src/chain/codec/recovered-transaction.ts'
import { ACCESS_LIST, FEE_MARKET, LEGACY, SET_CODE, type Unsigned } from '../../../src/chain/codec/transaction.ts'
import { invalidParams, serverError } from '../../../src/evm/call/call-failures.ts'
import { accessListOf, authorizationsOf, type CallObject, dataOf } from '../../../src/evm/call/call-object.ts'
import type { DevnetChain } from '../../chain/chain.ts'
import { developers } from '../../genesis/accounts.ts'
import { type Executions, method } from '../method.ts'
import { address, bytes, callObject } from '../params.ts'
import { SUGGESTED_TIP_WEI } from './fees.ts'
import { addToPool } from './sending.ts'

export const accountMethods = {
  eth_accounts: method({}, () => developers.map(({ address }) => address)),
  eth_sendTransaction: method(
    { transaction: callObject },
    async ({ chain, executions }, { transaction }, [asWritten]) => {
      if (!transaction.from) throw invalidParams('missing value for "from"')
      const from = BigInt(transaction.from)
      const key = keyOf(from)
      const gas = transaction.gas ?? (await estimatedGas(executions, asWritten))
      const { raw } = signTransaction(filledIn(chain, { ...transaction, gas }, from), key)
      return addToPool(chain, raw)
    },
  ),
  eth_sign: method({ address, message: bytes }, (_context, args) => signMessage(args.message, args.address)),
  personal_sign: method({ message: bytes, address }, (_context, args) => signMessage(args.message, args.address)),
}

const keys = new Map(developers.map(({ address, key }) => [hexToAddress(address), hexToBytes(key)]))

function keyOf(account: bigint): Uint8Array {
  const key = keys.get(account)
  if (key === undefined) throw serverError('unknown account')
  return key
}

async function estimatedGas({ execute }: Executions, call: unknown): Promise<bigint> {
  const { text } = await execute('eth_estimateGas', [call, 'pending'])
  return BigInt(JSON.parse(text))
}

/** Fills in nonce and price if they are missing; the price allows for two blocks of a rising base fee. */
function filledIn(chain: DevnetChain, call: CallObject & { readonly gas: bigint }, from: bigint): Unsigned {
  const { to, gasPrice } = call
  const accessList = accessListOf(call)
  const payload = {
    nonce: call.nonce ?? chain.pool.nextNonce(from),
    gasLimit: call.gas,
    to: to ? BigInt(to) : null,
    value: call.value ?? 0n,
    data: dataOf(call),
  }
  const { chainId } = chain
  if (gasPrice && call.accessList) return { type: ACCESS_LIST, chainId, gasPrice, accessList, ...payload }
  if (gasPrice) return { type: LEGACY, chainId, gasPrice, ...payload }
  const tip = call.maxPriorityFeePerGas ?? SUGGESTED_TIP_WEI
  const fees = {
    chainId,
    maxPriorityFeePerGas: tip,
    maxFeePerGas: call.maxFeePerGas ?? 2n * chain.nextBaseFee() + tip,
    accessList,
  }
  if (!call.authorizationList) return { type: FEE_MARKET, ...fees, ...payload }
  if (payload.to === null) throw invalidParams('a transaction with authorizations must have "to"')
  return { type: SET_CODE, ...fees, ...payload, to: payload.to, authorizationList: authorizationsOf(call) }
}

/** EIP-191. */
function signMessage(message: Uint8Array, account: bigint): string {
  const prefix = Buffer.from(`\x19Ethereum Signed Message:\n${message.length}`)
  const { r, s, yParity } = signHash(keccak256(concatBytes(prefix, message)), keyOf(account))
  return bytesToHex(concatBytes(bigintToBytes(r, 32), bigintToBytes(s, 32), Uint8Array.of(27 + yParity)))
}
