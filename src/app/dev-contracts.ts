// The devnet's own contracts, submitted like anybody's, so that a newcomer finds verified contracts: one after another, so that
// nobody's own submission waits behind them. What is verified from an earlier run is left alone.
import { setTimeout as sleep } from 'node:timers/promises'
import { artifactOf, standardInputOf } from '../../devnet/contracts/artifact.ts'
import type { ContractName } from '../../devnet/contracts/catalogue.ts'
import { simulatedUsers } from '../../devnet/genesis/accounts.ts'
import { predeploys } from '../../devnet/genesis/predeploys.ts'
import { contractAddresses, deployedContracts, pairAddress } from '../../devnet/traffic/model/addresses.ts'
import { addressToHex, type Hex } from '../chain/bytes/hex.ts'
import type { Lifecycle } from '../lib/async/lifecycle.ts'
import type { Log } from '../lib/log.ts'
import type { StandardInput } from '../verification/input/standard-input.ts'
import type { Submission } from '../verification/input/submission.ts'
import type { Verification } from '../verification/jobs/verification.ts'

const LOOK_EVERY_MS = 1_000
/** The founding takes some blocks; on a devnet without life it never comes. */
const WAIT_FOR_CODE_MS = 120_000

type Place = readonly [address: Hex, contract: ContractName]

export async function startDevContracts(
  verification: Verification,
  { log, lifecycle }: { log: Log; lifecycle: Lifecycle },
): Promise<void> {
  let running: Promise<void> | undefined
  await lifecycle.start({
    name: 'contracts of the devnet',
    start: (signal) => {
      running = submitAll({ verification, log, signal })
    },
    stop: () => running,
  })
}

type Submitting = { readonly verification: Verification; readonly log: Log; readonly signal: AbortSignal }

async function submitAll(submitting: Submitting): Promise<void> {
  const { signal } = submitting
  const giveUpMs = Date.now() + WAIT_FOR_CODE_MS
  let missing = places()
  while (missing.length > 0 && Date.now() < giveUpMs && !signal.aborted) {
    const later: Place[] = []
    for (const place of missing) if (!(await isSubmitted(submitting, place))) later.push(place)
    missing = later
    await pause(signal)
  }
}

/** Also where it was verified before; what goes wrong now may go well at the next look. */
async function isSubmitted({ verification, log, signal }: Submitting, [address, contract]: Place): Promise<boolean> {
  try {
    if ((await verification.codeAt(address)).code.length === 0) return false
    if (await verification.contractAt(address)) return true
    const guid = await verification.submitSource(address, submissionOf(contract))
    while ((await verification.job(guid))?.outcome === null && !signal.aborted) await pause(signal)
    return true
  } catch (error) {
    if (!signal.aborted) log.warn({ error, contract }, 'a contract of the devnet was not submitted')
    return false
  }
}

function pause(signal: AbortSignal): Promise<void> {
  return sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
}

/** What people meet first comes first, and last what needs a compiler that is fetched for it alone. */
function places(): Place[] {
  // The first resident founded everything.
  const founded = contractAddresses(simulatedUsers[0]!.address)
  const all: Place[] = [
    ...deployedContracts.map((name): Place => [founded[name], name]),
    [pairAddress(founded, founded.AuroraDollar, founded.DawnToken), 'Pair'],
    ...predeploys.map(([address, name]): Place => [addressToHex(address), name]),
  ]
  const isVyper = ([, name]: Place) => artifactOf(name).language === 'Vyper'
  return [...all.filter((each) => !isVyper(each)), ...all.filter(isVyper)]
}

function submissionOf(name: ContractName): Submission {
  const { language, sourceName, contractName, compiler } = artifactOf(name)
  return {
    language: language === 'Vyper' ? 'vyper' : 'solidity',
    input: { type: 'standardJson', json: standardInputOf(name) as StandardInput },
    contractName: `${sourceName}:${contractName}`,
    compilerVersion: compiler,
    libraries: [],
    licenseType: 'MIT',
  }
}
