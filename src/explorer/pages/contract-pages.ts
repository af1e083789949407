// What the pages show of contracts beside the API: the list of verified ones, one contract with what it delegates to, its files
// with what their words are, and verification jobs.
import type { Hex } from '../../chain/bytes/hex.ts'
import { Failure } from '../../contract/failure.ts'
import type { ContractFacts, FoundLines } from '../../contract/pages.ts'
import { highlightedShape } from '../../store/jobs/highlighted-files.ts'
import type { JobStage } from '../../store/jobs/verification-jobs.ts'
import {
  type VerifiedFilter,
  type VerifiedListItem,
  verifiedContracts,
  verifiedWithSameCode,
} from '../../store/jobs/verified-contracts.ts'
import { type SourceShape, shapeKey } from '../../verification/highlight/shape.ts'
import type { Job } from '../../verification/jobs/verification-queue.ts'
import type { VerifiedContract } from '../../verification/jobs/verified-contract.ts'
import type { ResolvedProxy } from '../../verification/proxies/resolve-proxy.ts'
import { compilerName } from '../records/verified-contract-record.ts'
import { type ExplorerOptions, openChain, verificationOf } from '../state/chain-context.ts'

export type ContractAnswers = {
  /** Newest first. */
  list: (filter: VerifiedFilter, page: Parameters<typeof verifiedContracts>[2]) => Promise<VerifiedListItem[]>
  at: (address: string) => Promise<ContractAtAddress>
  shapeOf: (contract: VerifiedContract, path: string) => Promise<SourceShape | undefined>
  job: (guid: string) => Promise<{ job: Job; stages: readonly JobStage[] } | undefined>
  /** Releases of solc, newest first; empty where they are not known in time. */
  solidityReleases: () => Promise<readonly string[]>
}

export type ContractAtAddress = {
  readonly proxy: ResolvedProxy | undefined
  /** A contract without code is a part of the node, or was destroyed. */
  readonly hasCode: boolean
  /** Itself where it is verified, then what it delegates to as far as that is verified. */
  readonly verified: readonly VerifiedContract[]
  /** Verified contracts with the same code, the best known first. */
  readonly twins: readonly VerifiedListItem[]
}

/** Facets of a diamond that a page shows. */
const MOST_IMPLEMENTATIONS = 20
const MOST_TWINS = 25
const RELEASES_CACHE_MS = 3_600_000
/** A form does not wait longer for a list of suggestions. */
const RELEASES_WITHIN_MS = 1_500

export function createContractAnswers(options: ExplorerOptions): ContractAnswers {
  const { queries } = options.readers
  const verification = async () => verificationOf((await openChain(options)).chain)
  const releases = createReleases(options.solidityReleases ?? (async () => []))
  return {
    list: (filter, page) => verifiedContracts(queries, filter, page),
    at: async (given) => {
      const address = given as Hex
      const { contractAt, proxyAt, codeAt } = await verification()
      const [own, proxy, { code, codeHash }] = await Promise.all([
        contractAt(address),
        proxyAt(address),
        codeAt(address),
      ])
      const behind = await Promise.all(
        (proxy?.implementations ?? [])
          .slice(0, MOST_IMPLEMENTATIONS)
          .map((implementation) => contractAt(implementation)),
      )
      return {
        proxy,
        hasCode: code.length > 0,
        verified: [own, ...behind].flatMap((contract) => contract ?? []),
        twins: await verifiedWithSameCode(queries, codeHash, { except: address, limit: MOST_TWINS }),
      }
    },
    shapeOf: async ({ standardInput, language }, path) => {
      const file = standardInput.sources[path]
      if (!file) return undefined
      const shape = await highlightedShape(queries, shapeKey(path, file.content, language))
      return shape === undefined ? undefined : (JSON.parse(shape) as SourceShape)
    },
    job: async (guid) => {
      const desk = await verification()
      const job = await desk.job(guid)
      return job && { job, stages: await desk.stages(guid) }
    },
    solidityReleases: releases,
  }
}

/** The registry is asked once an hour, in the background; until it answers, the list that was read before is shown. */
function createReleases(ask: (signal: AbortSignal) => Promise<readonly string[]>): () => Promise<readonly string[]> {
  let known: readonly string[] = []
  let asked: { atMs: number; answer: Promise<void> } | undefined
  return async () => {
    if (!asked || performance.now() - asked.atMs > RELEASES_CACHE_MS) {
      const answer = ask(AbortSignal.timeout(RELEASES_CACHE_MS)).then(
        (versions) => {
          if (versions.length > 0) known = versions.toReversed()
        },
        () => undefined,
      )
      asked = { atMs: performance.now(), answer }
    }
    const waited = Promise.withResolvers<void>()
    const timer = setTimeout(waited.resolve, RELEASES_WITHIN_MS)
    await Promise.race([asked.answer, waited.promise])
    clearTimeout(timer)
    return known
  }
}

/** A verified contract as a page shows it, its files aside. */
export function contractFacts(contract: VerifiedContract): ContractFacts {
  return {
    address: contract.address,
    name: contract.contract.name,
    mainFile: contract.contract.file,
    files: Object.entries(contract.standardInput.sources).map(([path, { content }]) => ({
      path,
      lines: content.split('\n').length,
    })),
    match: contract.match,
    similarTo: contract.similarTo ?? '',
    runtime: contract.runtime,
    creation: contract.creation,
    language: contract.language,
    compiler: compilerName(contract),
    optimizer: contract.optimizer,
    evmVersion: contract.evmVersion,
    licenseType: contract.licenseType,
    verifiedMs: String(contract.verifiedMs),
    abi: contract.abi,
    settings: Object.fromEntries(Object.entries(contract.settings).filter(([name]) => name !== 'outputSelection')),
    constructorArguments: contract.constructorArguments,
    decodedArguments: (contract.decodedArguments ?? []).map(({ name, type, value }) => ({
      name,
      type,
      value: typeof value === 'string' ? value : JSON.stringify(value),
    })),
    libraries: contract.libraries.map(({ name, address }) => ({ name, address })),
    metadata: contract.swarmSource,
    isBlueprint: contract.isBlueprint,
    notes: contract.notes,
  }
}

/** Lines of all files with this text in them, in any case of letters. */
export function linesWith(contract: VerifiedContract, text: string, most: number): FoundLines {
  const wanted = text.toLowerCase()
  const lines: { path: string; number: number; text: string }[] = []
  for (const [path, { content }] of Object.entries(contract.standardInput.sources)) {
    for (const [i, line] of content.split(/\r?\n/).entries()) {
      if (!line.toLowerCase().includes(wanted)) continue
      if (lines.length === most) return { lines, isTruncated: true }
      lines.push({ path, number: i + 1, text: line.trim().slice(0, LONGEST_FOUND) })
    }
  }
  return { lines, isTruncated: false }
}

const LONGEST_FOUND = 300

/** Where sources are for holders of a key only, pages do not show them either. */
export function withoutSources(answers: ContractAnswers): ContractAnswers {
  return {
    ...answers,
    at: async () => {
      throw new Failure('keyMissing', 'This server shows sources to holders of an API key only: ask through the API.')
    },
  }
}
