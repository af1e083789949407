import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { hexHash, quantity, timeMs, words } from './fields.ts'
import { address, addresses, chainShortName, choice, guid, label } from './params.ts'

const MAX_LIBRARIES = 10
const MAX_SOURCE_CHARS = 4_000_000
const MAX_ABI_CHARS = 1_000_000
/** Room for the largest source after JSON escaping, and its ABI. */
const SUBMISSION_BYTES = 10_000_000
const MAX_RUNS = 2 ** 32 - 1

const evmVersions = [
  'default',
  'homestead',
  'tangerineWhistle',
  'spuriousDragon',
  'byzantium',
  'constantinople',
  'petersburg',
  'istanbul',
  'berlin',
  'london',
  'paris',
  'shanghai',
  'cancun',
  'prague',
  'osaka',
] as const

const library = z.object(
  {
    libraryName: label('must be a string').min(1, 'can not be empty'),
    libraryAddress: address,
  },
  'must be an object with libraryName and libraryAddress',
)

const verifiedContract = z.object({
  sourceCode: words('Source; standard JSON input where that was submitted'),
  contractName: words('Name'),
  compilerVersion: words('Compiler version'),
  compilerType: words('Compiler'),
  optimization: words('`0` none, `1` used'),
  optimizationRuns: quantity('Optimizer runs'),
  contractAbi: words('ABI as a JSON string'),
  evmVersion: words('EVM version'),
  licenseType: words('Licence'),
  libraryInfo: z.union([
    z.array(z.object({ libraryName: words('Library'), libraryAddress: hexHash('Its address') })),
    z.literal('').meta({ description: 'Empty string when there are none' }),
  ]),
  proxy: words('`0` not a proxy, `1` proxy'),
  implementation: hexHash('Implementation of a proxy; the first facet of a diamond'),
  implementations: z.array(hexHash('Implementation')).meta({ description: 'All facets of a diamond' }),
  swarmSource: words('Swarm or IPFS hash of the metadata'),
  constructorArguments: words('Constructor arguments as hex; empty where there are none or they are not known'),
  matchType: words('`exact`, `partial`, or `similar`: another contract with the same code was verified'),
  similarMatch: hexHash('The contract that was verified, for `similar`'),
  verifiedAt: timeMs('Time of verification'),
})

const guidData = z.tuple([z.string().meta({ description: 'GUID of the job, 32 lower-case hex digits' })])

export const verifySourceCode = {
  id: 'E15',
  method: 'POST',
  path: '/contract/verify-source-code',
  summary: 'Verify contract source code',
  description: 'Compiles the source and compares it with the code on chain. Answers at once with the GUID of the job.',
  bodyLimit: SUBMISSION_BYTES,
  params: z
    .object({
      chainShortName,
      contractAddress: address,
      contractName: label('must be a string'),
      sourceCode: z
        .string('must be a string')
        .max(MAX_SOURCE_CHARS, `must have at most ${MAX_SOURCE_CHARS} characters`)
        .meta({ description: 'One flattened file, or the standard JSON input' }),
      // The spec's own family of services writes it both ways.
      codeFormat: choice(['solidity-single-file', 'solidity-standard-json-input', 'vyper', 'Vyper']),
      compilerVersion: z
        .string('must be a compiler version such as v0.8.30+commit.73712a01')
        .regex(
          /^(v|vyper:)?\d{1,3}\.\d{1,3}\.\d{1,3}[A-Za-z0-9.+_-]{0,64}$/,
          'must be a compiler version such as v0.8.30+commit.73712a01',
        )
        .optional()
        .meta({ description: 'Optional only with `solidity-standard-json-input`' }),
      optimization: choice(['0', '1'])
        .optional()
        .meta({ description: '`1` when the optimizer was used; optional only with `solidity-standard-json-input`' }),
      optimizationRuns: z
        .string('must be an integer as a string')
        .regex(/^\d{1,10}$/, 'must be an integer as a string')
        .transform(Number)
        .refine((runs) => runs <= MAX_RUNS, `must be at most ${MAX_RUNS}`)
        .optional(),
      contractAbi: z
        .string('must be a string')
        .max(MAX_ABI_CHARS, `must have at most ${MAX_ABI_CHARS} characters`)
        .optional()
        .meta({ description: 'Constructor arguments as hex; an ABI as JSON is accepted and not needed' }),
      evmVersion: choice(evmVersions).optional().meta({ description: 'Blank means the compiler’s default' }),
      licenseType: label('must be a string').optional().meta({ description: 'Blank means no licence' }),
      viaIr: z.boolean('must be true or false').default(false),
      libraryInfo: z
        .array(library, 'must be a list of libraryName and libraryAddress')
        .refine((libraries) => new Set(libraries.map(({ libraryName }) => libraryName)).size <= MAX_LIBRARIES, {
          error: `at most ${MAX_LIBRARIES} different libraries`,
          params: { key: 'tooManyValues' },
        })
        .optional(),
    })
    .superRefine((value, context) => {
      if (value.codeFormat === 'solidity-standard-json-input') return
      for (const name of ['compilerVersion', 'optimization'] as const) {
        if (value[name] === undefined) context.addIssue({ code: 'custom', path: [name], message: 'can not be empty' })
      }
    }),
  data: guidData,
} as const satisfies Endpoint

export const checkVerifyResult = {
  id: 'E15a',
  method: 'POST',
  path: '/contract/check-verify-result',
  summary: 'Contract verification result',
  params: z.object({ chainShortName, guid }),
  description: 'Of a failure `msg` says why; of a job that is pending, its position in the queue or what it does.',
  data: z.tuple([z.enum(['Success', 'Fail', 'Pending'])]),
} as const satisfies Endpoint

export const verifyProxyContract = {
  id: 'E15b',
  method: 'POST',
  path: '/contract/verify-proxy-contract',
  summary: 'Verify proxy contract',
  params: z.object({ chainShortName, proxyContractAddress: address, expectedImplementation: address.optional() }),
  data: guidData,
} as const satisfies Endpoint

export const checkProxyVerifyResult = {
  id: 'E15c',
  method: 'POST',
  path: '/contract/check-proxy-verify-result',
  summary: 'Proxy contract verification result',
  description: 'The result is the text in `msg`; `data` is empty.',
  params: z.object({ chainShortName, guid }),
  data: z.array(z.never()),
} as const satisfies Endpoint

export const verifyContractInfo = {
  id: 'E16',
  method: 'GET',
  path: '/contract/verify-contract-info',
  summary: 'Verified contract ABI and source code',
  description: 'Empty `data` for a contract that is not verified.',
  params: z.object({ chainShortName, contractAddress: address }),
  data: z.array(verifiedContract).max(1),
} as const satisfies Endpoint

export const contractCreationInfo = {
  id: 'E16a',
  method: 'GET',
  path: '/contract/creation-info',
  summary: 'Who created a contract, and where',
  description: 'An address that was not created on the indexed part of the chain is left out.',
  params: z.object({ chainShortName, contractAddress: addresses }),
  data: z.array(
    z.object({
      contractAddress: hexHash('Contract'),
      contractCreator: hexHash('Sender of the transaction'),
      contractFactory: hexHash('Contract that created it; empty when the transaction did so itself'),
      txId: hexHash('Transaction'),
      height: quantity('Block height'),
      transactionTime: timeMs('Time of the block'),
    }),
  ),
} as const satisfies Endpoint
