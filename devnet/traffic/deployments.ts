// The founding of the place: the founder's first transactions, one after another. Step i has nonce i, so a founder's nonce
// says how far it got, and a restart goes on from there.

import { parseEther, parseUnits } from 'viem/utils'
import type { Hex } from '../../src/chain/bytes/hex.ts'
import { callOf, creationOf } from '../contracts/calldata.ts'
import { callTo, foundedContracts, type Places, pairAddress } from './addresses.ts'
import { UNLIMITED } from './approval.ts'
import type { World } from './chain-model.ts'
import type { Wish } from './transact.ts'

export function foundingSteps({ places, founder, people, delegators }: World): Wish[] {
  const owner = founder.account.address
  const everyone = [...people, ...delegators].map((person) => person.account.address)
  return [
    ...deployments(places, owner),
    ...distribution(places, owner, everyone),
    ...liquidity(places, owner),
    ...firstCollectibles(places),
  ]
}

/** A deadline that never comes. */
export const NEVER = 2n ** 256n - 1n

const DAWN_SUPPLY = parseEther('1000000000')
const FIRST_DOLLARS = parseUnits('100000000', 6)

function deployments(places: Places, owner: Hex): Wish[] {
  const codes: Record<(typeof foundedContracts)[number], Hex> = {
    AuroraDollar: creationOf('AuroraDollar', [owner]),
    DawnToken: creationOf('DawnToken', [owner, DAWN_SUPPLY]),
    PairFactory: creationOf('PairFactory'),
    Router: creationOf('Router', [places.PairFactory, places.WrappedEther]),
    StarAtlas: creationOf('StarAtlas', [owner]),
    Lanterns: creationOf('Lanterns'),
    Airdrop: creationOf('Airdrop'),
    Guestbook: creationOf('Guestbook'),
    GuestbookSecondEdition: creationOf('GuestbookSecondEdition'),
    Proxy: creationOf('Proxy', [places.Guestbook, callOf('Guestbook', 'initialize', [owner])]),
    JarFactory: creationOf('JarFactory'),
    CapsuleFactory: creationOf('CapsuleFactory'),
    Almanac: creationOf('Almanac'),
    SunDiary: creationOf('SunDiary', [], { Almanac: places.Almanac }),
    Mishaps: creationOf('Mishaps'),
    BatchAccount: creationOf('BatchAccount'),
    MayflySwarm: creationOf('MayflySwarm'),
    SavingsVault: creationOf('SavingsVault'),
  }
  return foundedContracts.map((name) => ({ label: `deploy ${name}`, to: null, data: codes[name], gas: 2_000_000 }))
}

/** Everybody gets some of both tokens; those further down the list get less. */
function distribution(places: Places, owner: Hex, everyone: readonly Hex[]): Wish[] {
  const shares = (largest: bigint) => everyone.map((_, rank) => largest / BigInt(rank + 1) + largest / 20n)
  const drop = (token: Hex, amounts: readonly bigint[]): Wish => ({
    label: 'airdrop tokens',
    ...callTo({ places }, 'Airdrop', 'dropToken', [token, everyone, amounts]),
    gas: 100_000 + 60_000 * everyone.length,
  })
  return [
    { label: 'mint dollars', ...callTo({ places }, 'AuroraDollar', 'mint', [owner, FIRST_DOLLARS]), gas: 100_000 },
    approval(places.AuroraDollar, places.Airdrop),
    approval(places.DawnToken, places.Airdrop),
    drop(places.AuroraDollar, shares(parseUnits('1000000', 6))),
    drop(places.DawnToken, shares(parseEther('2000000'))),
  ]
}

/** Ether is worth 2,500 dollars and Dawn 1.25, in all three pools. */
function liquidity(places: Places, owner: Hex): Wish[] {
  const { AuroraDollar, DawnToken, Router } = places
  const add = (functionName: string, args: readonly unknown[], value = 0n): Wish => ({
    label: 'add liquidity',
    ...callTo({ places }, 'Router', functionName, [...args, owner, NEVER]),
    value,
    gas: 2_000_000,
  })
  return [
    approval(AuroraDollar, Router),
    approval(DawnToken, Router),
    add('addLiquidity', [AuroraDollar, DawnToken, parseUnits('5000000', 6), parseEther('4000000')]),
    add('addLiquidityEther', [AuroraDollar, parseUnits('10000000', 6)], parseEther('4000')),
    add('addLiquidityEther', [DawnToken, parseEther('4000000')], parseEther('2000')),
    approval(pairAddress(places, AuroraDollar, DawnToken), Router),
  ]
}

/** The first star is the founder's: whoever claims it again fails. */
function firstCollectibles(places: Places): Wish[] {
  const lanterns = [
    [1, 2, 3],
    [100, 50, 10],
  ]
  const welcome = callOf('Guestbook', 'sign', ['Welcome, everybody!'])
  return [
    { label: 'claim star', ...callTo({ places }, 'StarAtlas', 'claim', [0n]), value: parseEther('0.01'), gas: 160_000 },
    { label: 'fold lanterns', ...callTo({ places }, 'Lanterns', 'foldBatch', lanterns), gas: 200_000 },
    { label: 'sign guestbook', to: places.Proxy, data: welcome, gas: 130_000 },
  ]
}

/** All tokens, shares of pools too, are approved alike. */
function approval(token: Hex, spender: Hex): Wish {
  return {
    label: 'approve',
    to: token,
    data: callOf('AuroraDollar', 'approve', [spender, UNLIMITED]),
    gas: 60_000,
  }
}
