// 0x0a (EIP-4844): proves that the polynomial of a blob's commitment has the value y at z. Of the trusted setup only one point is needed,
// the secret τ times the generator of G2, so there is no file to load.
import { createHash } from 'node:crypto'
import { bytesToBigint, concatBytes, equalBytes } from '../../chain/bytes/hex.ts'
import { readCompressedG1 } from './bls12-381-encoding.ts'
import type { Affine } from './curve.ts'
import { bls12381 } from './curves.ts'
import { integerToBytes, type PrecompileError, priced } from './precompile.ts'

export const pointEvaluation = priced({
  cost: () => 50_000,
  run(input) {
    if (input.length !== 192) return 'invalid input length'
    if (!equalBytes(versionedHash(input.subarray(96, 144)), input.subarray(0, 32))) return 'mismatched versioned hash'
    const z = bytesToBigint(input, 32, 64)
    const y = bytesToBigint(input, 64, 96)
    if (z >= ORDER || y >= ORDER) {
      return unproven('scalar is not canonical when interpreted as a big integer in big-endian')
    }
    const commitment = readCompressedG1(input.subarray(96, 144))
    if (typeof commitment === 'string') return unproven(commitment)
    const proof = readCompressedG1(input.subarray(144, 192))
    if (typeof proof === 'string') return unproven(proof)
    return isProof({ commitment, z, y, proof }) ? OUTPUT.slice() : unproven("can't verify opening proof")
  },
})

function unproven(reason: PrecompileError): PrecompileError {
  return `error verifying kzg proof: ${reason}`
}

type EvaluationProof = {
  readonly commitment: Affine<bigint>
  readonly z: bigint
  readonly y: bigint
  readonly proof: Affine<bigint>
}

/** e(C − y·G1, G2) = e(π, (τ − z)·G2), with z moved to the left side, where multiplication is cheaper. */
function isProof({ commitment, z, y, proof }: EvaluationProof): boolean {
  const left = bls12381().g1.sumOfProducts([commitment, G1, proof], [1n, ORDER - y, z])
  return bls12381().pairingIsOne([
    { g1: left, g2: MINUS_G2 },
    { g1: proof, g2: TAU_G2 },
  ])
}

function versionedHash(commitment: Uint8Array): Uint8Array {
  const hash = new Uint8Array(createHash('sha256').update(commitment).digest())
  hash[0] = VERSION_KZG
  return hash
}

const VERSION_KZG = 1
const FIELD_ELEMENTS_PER_BLOB = 4096n
const ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n
const OUTPUT = concatBytes(integerToBytes(FIELD_ELEMENTS_PER_BLOB, 32), integerToBytes(ORDER, 32))

const G1 = {
  x: 0x17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bbn,
  y: 0x08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1n,
}

const MINUS_G2 = {
  x: {
    c0: 0x024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8n,
    c1: 0x13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7en,
  },
  y: {
    c0: 0x0d1b3cc2c7027888be51d9ef691d77bcb679afda66c73f17f9ee3837a55024f78c71363275a75d75d86bab79f74782aan,
    c1: 0x13fa4d4a0ad8b1ce186ed5061789213d993923066dddaf1040bc3ff59f825c78df74f2d75467e25e0f55f8a00fa030edn,
  },
}

/** The second G2 point of the ceremony's monomial form. */
const TAU_G2 = {
  x: {
    c0: 0x185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2n,
    c1: 0x15bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72n,
  },
  y: {
    c0: 0x014353bdb96b626dd7d5ee8599d1fca2131569490e28de18e82451a496a9c9794ce26d105941f383ee689bfbbb832a99n,
    c1: 0x1666c54b0a32529503432fcae0181b4bef79de09fc63671fda5ed1ba9bfa07899495346f3d7ac9cd23048ef30d0a154fn,
  },
}
