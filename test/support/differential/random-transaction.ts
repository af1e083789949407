// Random transactions of an OP chain: deposits that mint, revert or create, and signed ones of every type.

import { bytesToHex } from '../../../src/chain/bytes/hex.ts'
import { type Authorization, signAuthorization } from '../../../src/chain/codec/authorization.ts'
import {
  type RecoveredTransaction,
  recoverTransaction,
  signTransaction,
} from '../../../src/chain/codec/recovered-transaction.ts'
import {
  ACCESS_LIST,
  DEPOSIT,
  FEE_MARKET,
  LEGACY,
  SET_CODE,
  type Unsigned,
} from '../../../src/chain/codec/transaction.ts'
import { encodeTransaction } from '../../../src/chain/codec/transaction-codec.ts'
import type { Random } from './random.ts'
import { deploying, randomProgram } from './random-code.ts'

export type User = { readonly address: bigint; readonly privateKey: Uint8Array }

export type Scene = {
  readonly chainId: bigint
  readonly baseFee: bigint
  readonly users: readonly User[]
  /** Users, contracts, precompiles, addresses nobody has. */
  readonly targets: readonly bigint[]
  readonly nonceOf: (address: bigint) => bigint
}

export function randomTransaction(random: Random, scene: Scene): RecoveredTransaction {
  return random.chance(0.15) ? randomDeposit(random, scene) : randomSigned(random, scene)
}

function randomDeposit(random: Random, { users, targets }: Scene): RecoveredTransaction {
  const from = random.chance(0.7) ? random.pick(users).address : random.pick(targets)
  const payload = destination(random, targets)
  const intrinsic = 53_000 + 40 * payload.data.length
  return recoverTransaction(
    encodeTransaction({
      type: DEPOSIT,
      sourceHash: bytesToHex(random.bytes(32)),
      from,
      ...payload,
      mint: random.chance(0.5) ? BigInt(random.below(10 ** 9)) : 0n,
      value: random.chance(0.5) ? BigInt(random.below(1500)) : 0n,
      gasLimit: BigInt(intrinsic + random.below(random.chance(0.2) ? 5000 : 900_000)),
      isSystemTx: false,
    }),
  )
}

function randomSigned(random: Random, scene: Scene): RecoveredTransaction {
  const user = random.pick(scene.users)
  const nonce = scene.nonceOf(user.address)
  const tip = BigInt(random.below(1000))
  const fees = { maxFeePerGas: scene.baseFee + BigInt(random.below(1000)) + tip, maxPriorityFeePerGas: tip }
  const gasPrice = fees.maxFeePerGas
  const { chainId } = scene
  const body = {
    nonce,
    gasLimit: BigInt(random.chance(0.15) ? 60_000 + random.below(30_000) : 150_000 + random.below(600_000)),
    value: random.chance(0.4) ? BigInt(random.below(10 ** 6)) : 0n,
    ...destination(random, scene.targets),
  }
  const accessList = random.chance(0.3) ? randomAccessList(random, scene.targets) : []
  const kinds: readonly (() => Unsigned)[] = [
    () => ({ type: LEGACY, ...body, chainId, gasPrice }),
    () => ({ type: ACCESS_LIST, ...body, chainId, gasPrice, accessList }),
    () => ({ type: FEE_MARKET, ...body, chainId, ...fees, accessList }),
    () => {
      const to = body.to ?? random.pick(scene.targets)
      const authorizationList = randomAuthorizations(random, scene, user)
      const gasLimit = body.gasLimit + 25_000n * BigInt(authorizationList.length)
      return { type: SET_CODE, ...body, gasLimit, to, chainId, ...fees, accessList, authorizationList }
    },
  ]
  return signTransaction(random.pick(kinds)(), user.privateKey)
}

function destination(random: Random, targets: readonly bigint[]): { to: bigint | null; data: Uint8Array } {
  if (random.chance(0.8))
    return { to: random.pick(targets), data: random.bytes(random.chance(0.2) ? random.below(900) : random.below(80)) }
  const program = randomProgram(random, targets)
  return { to: null, data: random.chance(0.7) ? deploying(program) : program }
}

function randomAccessList(random: Random, targets: readonly bigint[]) {
  return Array.from({ length: random.below(4) }, () => ({
    address: random.pick(targets),
    storageKeys: Array.from({ length: random.below(3) }, () => BigInt(random.below(6))),
  }))
}

/** Some of them void: for another chain, or with a nonce that is off. */
function randomAuthorizations(
  random: Random,
  { chainId, users, targets, nonceOf }: Scene,
  sender: User,
): Authorization[] {
  return Array.from({ length: 1 + random.below(3) }, () => {
    const user = random.pick(users)
    const due = nonceOf(user.address) + (user === sender ? 1n : 0n)
    return signAuthorization(
      {
        chainId: random.pick([0n, chainId, chainId, chainId + 1n]),
        address: random.chance(0.15) ? 0n : random.pick(targets),
        nonce: random.chance(0.15) ? due + 1n : due,
      },
      user.privateKey,
    )
  })
}
