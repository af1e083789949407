// module=contract: verified sources, and sources and proxies to be verified. Clients look for these very strings.
import { Failure } from '../../contract/failure.ts'
import { compilerName, sourceText } from '../../explorer/records/verified-contract-record.ts'
import { verificationOf } from '../../explorer/state/chain-context.ts'
import { jobOf, proxyResultOf } from '../../explorer/verification.ts'
import { fileSubmission, standardSubmission } from '../../explorer/verification-submission.ts'
import type { DeclaredLibrary } from '../../verification/input/submission.ts'
import { type Job, progressOf } from '../../verification/jobs/verification-queue.ts'
import { answered, EtherscanRefusal } from './answer.ts'
import { type Action, addressFrom, type EtherscanQuery } from './query.ts'

const NOT_VERIFIED = 'Contract source code not verified'
const MOST_LIBRARIES = 10

const getabi: Action = async (chain, query) => {
  const contract = await verificationOf(chain).contractAt(addressFrom(query.address))
  if (!contract) throw new EtherscanRefusal(NOT_VERIFIED)
  return answered(JSON.stringify(contract.abi))
}

/** One record for a contract that is not verified, too: empty but for the words in place of its ABI. */
const getsourcecode: Action = async (chain, query) => {
  const address = addressFrom(query.address)
  const verification = verificationOf(chain)
  const contract = await verification.contractAt(address)
  const proxy = await verification.proxyAt(address)
  const shared = { Proxy: proxy ? '1' : '0', Implementation: proxy?.implementation ?? '' }
  if (!contract) return answered([{ ...UNVERIFIED, ...shared }])
  const { optimizer, constructorArguments, libraries, swarmSource } = contract
  const source = sourceText(contract)
  return answered([
    {
      // A second pair of braces says that this is a standard JSON input.
      SourceCode: contract.submittedAs === 'standardJson' ? `{${source}}` : source,
      ABI: JSON.stringify(contract.abi),
      ContractName: contract.contract.name,
      CompilerVersion: compilerName(contract),
      CompilerType: contract.language === 'vyper' ? 'vyper' : 'solc',
      OptimizationUsed: optimizer.enabled ? '1' : '0',
      Runs: String(optimizer.runs),
      ConstructorArguments: constructorArguments?.slice(2) ?? '',
      EVMVersion: contract.evmVersion || 'Default',
      Library: libraries.map(({ name, address: linked }) => `${name}:${linked.slice(2)}`).join(';'),
      ContractFileName: contract.contract.file,
      LicenseType: contract.licenseType,
      ...shared,
      SwarmSource: swarmSource,
      SimilarMatch: contract.similarTo ?? '',
    },
  ])
}

const UNVERIFIED = {
  SourceCode: '',
  ABI: NOT_VERIFIED,
  ContractName: '',
  CompilerVersion: '',
  CompilerType: '',
  OptimizationUsed: '',
  Runs: '',
  ConstructorArguments: '',
  EVMVersion: 'Default',
  Library: '',
  ContractFileName: '',
  LicenseType: 'Unknown',
  SwarmSource: '',
  SimilarMatch: '',
}

const verifysourcecode: Action = async (chain, query, client) => {
  const verification = verificationOf(chain)
  const given = inLowerCase(query)
  const address = addressFrom(given.contractaddress ?? given.address)
  if ((await verification.codeSoonAt(address)).length === 0) {
    throw new EtherscanRefusal(`Unable to locate ContractCode at ${address}`)
  }
  const submission = spelledOut(() => submissionFrom(given))
  return answered(await refusing(verification.submitSource(address, submission, client)))
}

function submissionFrom(given: EtherscanQuery) {
  const { contractname: contractName, sourcecode: source, codeformat = 'solidity-single-file' } = given
  if (!contractName) throw new EtherscanRefusal('Error! Missing contractname')
  if (!source) throw new EtherscanRefusal('Error! Missing sourceCode')
  const format = codeformat.toLowerCase()
  if (!FORMATS.has(format)) {
    throw new EtherscanRefusal(`Error! Invalid codeformat: one of ${[...FORMATS].join(', ')}`)
  }
  const named = {
    contractName,
    compilerVersion: given.compilerversion || null,
    libraries: librariesFrom(given),
    // The misspelling is the dialect's own.
    constructorArguments: given.constructorarguements || given.constructorarguments,
    licenseType: given.licensetype,
  }
  if (format.includes('json')) return standardSubmission(source, named)
  return fileSubmission(
    {
      language: format.startsWith('vyper') ? 'vyper' : 'solidity',
      source,
      optimizer: given.optimizationused === '1',
      runs: runsFrom(given.runs),
      evmVersion: given.evmversion || undefined,
      viaIr: given.viair === 'true' || given.viair === '1',
    },
    named,
  )
}

const FORMATS: ReadonlySet<string> = new Set([
  'solidity-single-file',
  'solidity-standard-json-input',
  'vyper',
  'vyper-single-file',
  'vyper-json',
  'vyper-standard-json-input',
])

function librariesFrom(given: EtherscanQuery): DeclaredLibrary[] {
  return Array.from({ length: MOST_LIBRARIES }, (_, i) => i + 1).flatMap((number) => {
    const [name, address] = [given[`libraryname${number}`], given[`libraryaddress${number}`]]
    if (!name !== !address) {
      throw new EtherscanRefusal(`Error! libraryname${number} and libraryaddress${number} go together`)
    }
    return name && address ? [{ name, address: addressFrom(address) }] : []
  })
}

function runsFrom(text: string | undefined): number | undefined {
  if (!text) return undefined
  if (!/^\d{1,10}$/.test(text)) throw new EtherscanRefusal('Error! Invalid runs: must be a whole number')
  return Number(text)
}

const checkverifystatus: Action = async (chain, query) => {
  const job = await refusing(jobOf(verificationOf(chain), 'source', guidFrom(query)))
  const { outcome } = job
  if (outcome === null) throw pending(job)
  if (outcome.type !== 'failed') return answered('Pass - Verified')
  // `result` is compared word for word; the reason goes into the field that clients only print.
  const result = 'Fail - Unable to verify'
  throw new EtherscanRefusal(result, { status: '0', message: outcome.message, result })
}

const verifyproxycontract: Action = async (chain, query, client) => {
  const given = inLowerCase(query)
  const expected = given.expectedimplementation
  return answered(
    await verificationOf(chain).submitProxy(
      addressFrom(given.address ?? given.contractaddress),
      { expectedImplementation: expected ? addressFrom(expected) : null },
      client,
    ),
  )
}

const checkproxyverification: Action = async (chain, query) => {
  const job = await refusing(jobOf(verificationOf(chain), 'proxy', guidFrom(query)))
  if (job.outcome === null) throw pending(job)
  if (job.outcome.type === 'failed') throw new EtherscanRefusal(job.outcome.message)
  return answered(proxyResultOf(job))
}

/** `result` is compared word for word; clients print `message`. */
function pending(job: Job): EtherscanRefusal {
  const result = 'Pending in queue'
  return new EtherscanRefusal(result, { status: '0', message: progressOf(job) || 'NOTOK', result })
}

/** Parameters of one thing come in several cases: contractaddress, contractAddress. */
function inLowerCase(query: EtherscanQuery): EtherscanQuery {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name.toLowerCase(), value]))
}

function guidFrom({ guid = '' }: EtherscanQuery): string {
  if (!/^[0-9a-f]{32}$/.test(guid)) throw new EtherscanRefusal('Invalid GUID')
  return guid
}

/** A refusal of ours in the words of this dialect: status 0 and the sentence. */
async function refusing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw refusalOf(error)
  }
}

function spelledOut<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw refusalOf(error)
  }
}

function refusalOf(error: unknown): unknown {
  return error instanceof Failure && error.key === 'parameterWrong' ? new EtherscanRefusal(error.message) : error
}

export const verifying = {
  getabi,
  getsourcecode,
  verifysourcecode,
  checkverifystatus,
  verifyproxycontract,
  checkproxyverification,
}
