// The deployer's first transactions, in order: deploy the contracts, hand out tokens, add liquidity. Step i has nonce i, so the
// deployer's nonce says how far the deployment got, and a restart continues from there.

import { parseEther, parseUnits } from 'viem/utils'
import { addressToHex, type Hex } from '../../src/chain/bytes/hex.ts'
import { callOf, creationOf } from '../contracts/calldata.ts'
import { PLATFORM_TOKEN } from '../genesis/own-rules.ts'
import { type ContractAddresses, callTo, deployedContracts, pairAddress } from './model/addresses.ts'
import type { ChainModel } from './model/chain-model.ts'
import { NEVER, type TransactionRequest, UNLIMITED } from './model/transact.ts'

export function deploymentSteps(model: ChainModel): TransactionRequest[] {
  const { contracts, deployer, users, delegators, ownRules } = model
  const owner = deployer.account.address
  const everyone = [...users, ...delegators].map((person) => person.account.address)
  return [
    ...deployments(contracts, owner),
    ...distribution(contracts, owner, everyone),
    ...liquidity(contracts, owner),
    ...firstCollectibles(contracts),
    ...(ownRules ? platformToken(contracts, owner, everyone) : []),
  ]
}

const DAWN_SUPPLY = parseEther('1000000000')
const FIRST_DOLLARS = parseUnits('100000000', 6)

function deployments(contracts: ContractAddresses, owner: Hex): TransactionRequest[] {
  const codes: Record<(typeof deployedContracts)[number], Hex> = {
    AuroraDollar: creationOf('AuroraDollar', [owner]),
    DawnToken: creationOf('DawnToken', [owner, DAWN_SUPPLY]),
    PairFactory: creationOf('PairFactory'),
    Router: creationOf('Router', [contracts.PairFactory, contracts.WrappedEther]),
    StarAtlas: creationOf('StarAtlas', [owner]),
    Lanterns: creationOf('Lanterns'),
    Airdrop: creationOf('Airdrop'),
    Guestbook: creationOf('Guestbook'),
    GuestbookSecondEdition: creationOf('GuestbookSecondEdition'),
    Proxy: creationOf('Proxy', [contracts.Guestbook, callOf('Guestbook', 'initialize', [owner])]),
    JarFactory: creationOf('JarFactory'),
    CapsuleFactory: creationOf('CapsuleFactory'),
    Almanac: creationOf('Almanac'),
    SunDiary: creationOf('SunDiary', [], { Almanac: contracts.Almanac }),
    Mishaps: creationOf('Mishaps'),
    BatchAccount: creationOf('BatchAccount'),
    MayflySwarm: creationOf('MayflySwarm'),
    SavingsVault: creationOf('SavingsVault'),
  }
  return deployedContracts.map((name) => ({ label: `deploy ${name}`, to: null, data: codes[name], gas: 2_000_000 }))
}

/** Every user gets some of both tokens; users further down the list get less. */
function distribution(contracts: ContractAddresses, owner: Hex, everyone: readonly Hex[]): TransactionRequest[] {
  const shares = (largest: bigint) => everyone.map((_, rank) => largest / BigInt(rank + 1) + largest / 20n)
  const drop = (token: Hex, amounts: readonly bigint[]): TransactionRequest => ({
    label: 'airdrop tokens',
    ...callTo({ contracts }, 'Airdrop', 'dropToken', [token, everyone, amounts]),
    gas: 100_000 + 60_000 * everyone.length,
  })
  return [
    { label: 'mint dollars', ...callTo({ contracts }, 'AuroraDollar', 'mint', [owner, FIRST_DOLLARS]), gas: 100_000 },
    approval(contracts.AuroraDollar, contracts.Airdrop),
    approval(contracts.DawnToken, contracts.Airdrop),
    drop(contracts.AuroraDollar, shares(parseUnits('1000000', 6))),
    drop(contracts.DawnToken, shares(parseEther('2000000'))),
  ]
}

/** Ether is worth 2,500 dollars and Dawn 1.25, in all three pools. */
function liquidity(contracts: ContractAddresses, owner: Hex): TransactionRequest[] {
  const { AuroraDollar, DawnToken, Router } = contracts
  const add = (functionName: string, args: readonly unknown[], value = 0n): TransactionRequest => ({
    label: 'add liquidity',
    ...callTo({ contracts }, 'Router', functionName, [...args, owner, NEVER]),
    value,
    gas: 2_000_000,
  })
  return [
    approval(AuroraDollar, Router),
    approval(DawnToken, Router),
    add('addLiquidity', [AuroraDollar, DawnToken, parseUnits('5000000', 6), parseEther('4000000')]),
    add('addLiquidityEther', [AuroraDollar, parseUnits('10000000', 6)], parseEther('4000')),
    add('addLiquidityEther', [DawnToken, parseEther('4000000')], parseEther('2000')),
    approval(pairAddress(contracts, AuroraDollar, DawnToken), Router),
  ]
}

/** Everybody gets the same amount of the token that is a part of the node. */
function platformToken(contracts: ContractAddresses, owner: Hex, everyone: readonly Hex[]): TransactionRequest[] {
  const token = addressToHex(PLATFORM_TOKEN)
  const amount = parseUnits('1000000', 6)
  const issued = callOf('PlatformToken', 'mint', [owner, amount * BigInt(everyone.length + 1)])
  return [
    { label: 'issue Beryl', to: token, data: issued, gas: 120_000 },
    approval(token, contracts.Airdrop),
    {
      label: 'airdrop Beryl',
      ...callTo({ contracts }, 'Airdrop', 'dropToken', [token, everyone, everyone.map(() => amount)]),
      gas: 100_000 + 60_000 * everyone.length,
    },
  ]
}

/** The deployer claims star 0, so any later claim of star 0 fails. */
function firstCollectibles(contracts: ContractAddresses): TransactionRequest[] {
  const lanterns = [
    [1, 2, 3],
    [100, 50, 10],
  ]
  const welcome = callOf('Guestbook', 'sign', ['Welcome, everybody!'])
  return [
    {
      label: 'claim star',
      ...callTo({ contracts }, 'StarAtlas', 'claim', [0n]),
      value: parseEther('0.01'),
      gas: 160_000,
    },
    { label: 'fold lanterns', ...callTo({ contracts }, 'Lanterns', 'foldBatch', lanterns), gas: 200_000 },
    { label: 'sign guestbook', to: contracts.Proxy, data: welcome, gas: 130_000 },
  ]
}

/** All tokens, pool shares included, have the same approve function. */
function approval(token: Hex, spender: Hex): TransactionRequest {
  return {
    label: 'approve',
    to: token,
    data: callOf('AuroraDollar', 'approve', [spender, UNLIMITED]),
    gas: 60_000,
  }
}
