// Verifies the devnet's own contracts, so that a new user finds verified contracts. They are submitted over the usual way, one after the
// other, so that no other submission waits behind them. Contracts that were verified in an earlier run are skipped.
import { setTimeout as sleep } from 'node:timers/promises'
import { artifactOf, standardInputOf } from '../../devnet/contracts/artifact.ts'
import type { ContractName } from '../../devnet/contracts/catalogue.ts'
import { simulatedUsers } from '../../devnet/genesis/accounts.ts'
import { predeploys } from '../../devnet/genesis/predeploys.ts'
import { contractAddresses, deployedContracts, pairAddress } from '../../devnet/traffic/model/addresses.ts'
import { addressToHex, type Hex } from '../chain/bytes/hex.ts'
import type { Part } from '../lib/async/lifecycle.ts'
import type { Log } from '../lib/log.ts'
import type { StandardInput } from '../verification/input/standard-input.ts'
import type { Submission } from '../verification/input/submission.ts'
import type { Verification } from '../verification/jobs/verification.ts'

const CHECK_EVERY_MS = 1_000
/** The contracts are deployed within some blocks; on a devnet without simulated users they never are. */
const WAIT_FOR_CODE_MS = 120_000

type Deployed = readonly [address: Hex, contract: ContractName]

export function devnetContractsPart(verification: Verification, log: Log): Part<{ running: Promise<void> }> {
  return {
    name: 'contracts of the devnet',
    start: (signal) => ({ running: submitAll({ verification, log, signal }) }),
    stop: ({ running }) => running,
  }
}

type Submitting = { readonly verification: Verification; readonly log: Log; readonly signal: AbortSignal }

async function submitAll(submitting: Submitting): Promise<void> {
  const { signal } = submitting
  const giveUpMs = performance.now() + WAIT_FOR_CODE_MS
  let missing = contractsToVerify()
  while (missing.length > 0 && performance.now() < giveUpMs && !signal.aborted) {
    const later: Deployed[] = []
    for (const each of missing) if (!(await isSubmitted(submitting, each))) later.push(each)
    missing = later
    await pause(signal)
  }
}

/** True also where it was verified before. An error is logged, and the contract is tried again at the next check. */
async function isSubmitted({ verification, log, signal }: Submitting, [address, contract]: Deployed): Promise<boolean> {
  try {
    if ((await verification.codeAt(address)).code.length === 0) return false
    if (await verification.contractAt(address)) return true
    const guid = await verification.submitSource(address, submissionOf(contract), '')
    while ((await verification.job(guid))?.outcome === null && !signal.aborted) await pause(signal)
    return true
  } catch (error) {
    if (!signal.aborted) log.warn({ error, contract }, 'a contract of the devnet was not submitted')
    return false
  }
}

function pause(signal: AbortSignal): Promise<void> {
  return sleep(CHECK_EVERY_MS, undefined, { signal }).catch(() => undefined)
}

/** Tokens and exchange first, since users look at them first; Vyper last, since its compiler must be downloaded. */
function contractsToVerify(): Deployed[] {
  // The first simulated user deployed everything.
  const addresses = contractAddresses(simulatedUsers[0]!.address)
  const all: Deployed[] = [
    ...deployedContracts.map((name): Deployed => [addresses[name], name]),
    [pairAddress(addresses, addresses.AuroraDollar, addresses.DawnToken), 'Pair'],
    ...predeploys.map(([address, name]): Deployed => [addressToHex(address), name]),
  ]
  const isVyper = ([, name]: Deployed) => artifactOf(name).language === 'Vyper'
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
