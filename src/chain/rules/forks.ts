// The fork table: which rules apply to a block. Ethereum's forks are one line, the OP Stack's another; an OP fork implies the Ethereum
// fork that it is based on.

export const ETHEREUM_FORKS = [
  'frontier',
  'homestead',
  'tangerineWhistle',
  'spuriousDragon',
  'byzantium',
  'constantinople',
  'petersburg',
  'istanbul',
  'muirGlacier',
  'berlin',
  'london',
  'arrowGlacier',
  'grayGlacier',
  'paris',
  'shanghai',
  'cancun',
  'prague',
  'osaka',
  'bpo1',
  'bpo2',
] as const

export const OP_FORKS = [
  'bedrock',
  'regolith',
  'canyon',
  'ecotone',
  'fjord',
  'granite',
  'holocene',
  'isthmus',
  'jovian',
  'karst',
] as const

export type EthereumFork = (typeof ETHEREUM_FORKS)[number]
export type OpFork = (typeof OP_FORKS)[number]
export type Fork = EthereumFork | OpFork

/** Forks up to the merge (and Bedrock) begin at a height, later ones at a time in seconds. */
export type Activation = { readonly block: number } | { readonly timestamp: number }

/** A fork without an entry never begins on its own; an active later fork of the same line implies it. */
export type ForkSchedule = {
  readonly activations: Readonly<Partial<Record<Fork, Activation>>>
  /** Blob limits of this chain; a fork without an entry has those of mainnet. */
  readonly blobs?: Readonly<Partial<Record<EthereumFork, BlobParameters>>>
  /** Forks that the chain has planned and this version does not know. */
  readonly unknown?: readonly UnknownFork[]
}

export type UnknownFork = { readonly name: string; readonly timestamp: number }

export type BlobParameters = { readonly target: number; readonly max: number; readonly updateFraction: bigint }

/** One boolean per fork (`rules.prague` means Prague or later), plus values that depend on the newest fork. */
export type Rules = Readonly<Record<Fork, boolean>> & {
  /** Both forks in one text, as a key for tables by fork. */
  readonly id: string
  readonly op: boolean
  readonly fork: EthereumFork
  readonly opFork: OpFork | null
  /** Null before Cancun. */
  readonly blobs: BlobParameters | null
}

/** Gives the rules of each block of a chain. Blocks of the same forks get the same frozen object, which is made once. */
export function rulesBySchedule(schedule: ForkSchedule): (at: { number: number; timestamp: number }) => Rules {
  const byForks = new Map<string, Rules>()
  return (at) => {
    const isActive = (fork: Fork) => {
      const activation = schedule.activations[fork]
      if (activation === undefined) return false
      return 'block' in activation ? at.number >= activation.block : at.timestamp >= activation.timestamp
    }
    const opFork = OP_FORKS.findLast(isActive) ?? null
    const own = ETHEREUM_FORKS.findLast(isActive) ?? 'frontier'
    const implied = opFork === null ? 'frontier' : IMPLIED_BY[opFork]
    const fork = ordinal(own) >= ordinal(implied) ? own : implied
    const key = forksId(fork, opFork)
    const rules = byForks.get(key) ?? makeRules(fork, opFork, schedule.blobs)
    byForks.set(key, rules)
    return rules
  }
}

/** The rules of a chain on which `fork` is always active. */
export function rulesOfFork(fork: Fork): Rules {
  return RULES_OF_FORKS[fork]
}

/** A schedule in which `fork` is active from the first block on. */
export function scheduleFrom(fork: Fork): ForkSchedule {
  return { activations: { [fork]: { block: 0 } } }
}

const IMPLIED_BY: Readonly<Record<OpFork, EthereumFork>> = {
  bedrock: 'paris',
  regolith: 'paris',
  canyon: 'shanghai',
  ecotone: 'cancun',
  fjord: 'cancun',
  granite: 'cancun',
  holocene: 'cancun',
  isthmus: 'prague',
  jovian: 'prague',
  karst: 'osaka',
}

const MAINNET_BLOBS: Readonly<Partial<Record<EthereumFork, BlobParameters>>> = {
  cancun: { target: 3, max: 6, updateFraction: 3338477n },
  prague: { target: 6, max: 9, updateFraction: 5007716n },
  osaka: { target: 6, max: 9, updateFraction: 5007716n },
  bpo1: { target: 10, max: 15, updateFraction: 8346193n },
  bpo2: { target: 14, max: 21, updateFraction: 11684671n },
}

function makeRules(fork: EthereumFork, opFork: OpFork | null, chainBlobs: ForkSchedule['blobs']): Rules {
  const flags = {} as Record<Fork, boolean>
  for (const each of ETHEREUM_FORKS) flags[each] = ordinal(each) <= ordinal(fork)
  for (const each of OP_FORKS) flags[each] = opFork !== null && OP_FORKS.indexOf(each) <= OP_FORKS.indexOf(opFork)
  const newestWithBlobs = ETHEREUM_FORKS.slice(0, ordinal(fork) + 1).findLast((each) => MAINNET_BLOBS[each])
  const blobs = newestWithBlobs ? (chainBlobs?.[newestWithBlobs] ?? MAINNET_BLOBS[newestWithBlobs]!) : null
  return Object.freeze({ ...flags, id: forksId(fork, opFork), op: opFork !== null, fork, opFork, blobs })
}

function forksId(fork: EthereumFork, opFork: OpFork | null): string {
  return `${fork} ${opFork}`
}

function ordinal(fork: EthereumFork) {
  return ETHEREUM_FORKS.indexOf(fork)
}

const RULES_OF_FORKS = Object.fromEntries([
  ...ETHEREUM_FORKS.map((fork) => [fork, makeRules(fork, null, undefined)]),
  ...OP_FORKS.map((fork) => [fork, makeRules(IMPLIED_BY[fork], fork, undefined)]),
]) as Readonly<Record<Fork, Rules>>
