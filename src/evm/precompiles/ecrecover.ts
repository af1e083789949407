// 0x01: the signer of a hash. If it cannot be recovered, the output is empty; this is not a failure.
import { bytesToBigint, EMPTY_BYTES } from '../../chain/bytes/hex.ts'
import { recoverAddress } from '../../chain/bytes/secp256k1.ts'
import { integerToBytes, priced, readPadded } from './precompile.ts'

export const ecrecover = priced({
  cost: () => 3000,
  run(input) {
    const call = readPadded(input, 0, 128)
    const v = bytesToBigint(call, 32, 64)
    if (v !== 27n && v !== 28n) return EMPTY_BYTES
    const signature = { r: bytesToBigint(call, 64, 96), s: bytesToBigint(call, 96, 128), yParity: Number(v - 27n) }
    const address = recoverAddress(call.subarray(0, 32), signature)
    return address === null ? EMPTY_BYTES : integerToBytes(address, 32)
  },
})
