// Every contract that the devnet carries, where its source is and how it is compiled. The settings differ on purpose:
// whoever verifies these contracts in the explorer meets optimized and unoptimized code, the IR pipeline and two EVM versions.

export const catalogue = {
  AuroraDollar: { source: 'tokens/AuroraDollar.sol', profile: 'usual' },
  DawnToken: { source: 'tokens/DawnToken.sol', profile: 'usual' },
  StarAtlas: { source: 'tokens/StarAtlas.sol', profile: 'usual' },
  Lanterns: { source: 'tokens/Lanterns.sol', profile: 'usual' },
  WrappedEther: { source: 'tokens/WrappedEther.sol', profile: 'usual' },
  PlatformToken: { source: 'tokens/PlatformToken.sol', profile: 'usual' },

  Pair: { source: 'exchange/Pair.sol', profile: 'fast' },
  PairFactory: { source: 'exchange/PairFactory.sol', profile: 'fast' },
  Router: { source: 'exchange/Router.sol', profile: 'fast' },

  CapsuleFactory: { source: 'patterns/CapsuleFactory.sol', profile: 'usual' },
  TimeCapsule: { source: 'patterns/TimeCapsule.sol', profile: 'usual' },
  Proxy: { source: 'patterns/Proxy.sol', profile: 'small' },
  Guestbook: { source: 'patterns/Guestbook.sol', profile: 'usual' },
  GuestbookSecondEdition: { source: 'patterns/GuestbookSecondEdition.sol', profile: 'usual' },
  JarFactory: { source: 'patterns/JarFactory.sol', profile: 'usual' },
  TipJar: { source: 'patterns/TipJar.sol', profile: 'usual' },
  Almanac: { source: 'patterns/Almanac.sol', profile: 'usual' },
  SunDiary: { source: 'patterns/SunDiary.sol', profile: 'usual' },
  Mishaps: { source: 'patterns/Mishaps.sol', profile: 'unoptimized' },
  BatchAccount: { source: 'patterns/BatchAccount.sol', profile: 'usual' },
  Airdrop: { source: 'patterns/Airdrop.sol', profile: 'viaIR' },
  Mayfly: { source: 'patterns/Mayfly.sol', profile: 'small' },
  MayflySwarm: { source: 'patterns/MayflySwarm.sol', profile: 'small' },
  SavingsVault: { source: 'patterns/SavingsVault.vy', profile: 'vyper' },

  L1Block: { source: 'predeploys/L1Block.sol', profile: 'fast' },
  GasPriceOracle: { source: 'predeploys/GasPriceOracle.sol', profile: 'fast' },
  L2ToL1MessagePasser: { source: 'predeploys/L2ToL1MessagePasser.sol', profile: 'fast' },
  BaseTime: { source: 'predeploys/BaseTime.sol', profile: 'fast' },
  FeeVault: { source: 'predeploys/FeeVault.sol', profile: 'fast' },
  Create2Deployer: { source: 'predeploys/Create2Deployer.sol', profile: 'fast' },
  Multicall3: { source: 'predeploys/Multicall3.sol', profile: 'fast' },
} as const satisfies Record<string, CatalogueEntry>

export type ContractName = keyof typeof catalogue

export const contractNames = Object.keys(catalogue) as ContractName[]

/** The `settings` of a standard JSON input, without the output selection. */
export const profiles = {
  usual: { optimizer: { enabled: true, runs: 200 }, evmVersion: 'prague' },
  fast: { optimizer: { enabled: true, runs: 100_000 }, evmVersion: 'cancun' },
  small: { optimizer: { enabled: true, runs: 1 }, evmVersion: 'cancun' },
  viaIR: { optimizer: { enabled: true, runs: 10_000 }, viaIR: true, evmVersion: 'prague' },
  unoptimized: { optimizer: { enabled: false, runs: 200 }, evmVersion: 'prague' },
  vyper: { optimize: 'gas', evmVersion: 'prague' },
}

export type CatalogueEntry = { readonly source: string; readonly profile: keyof typeof profiles }
