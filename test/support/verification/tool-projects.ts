// Projects of the tools that people verify with, as they would write them, and offline: the compiler is the one that npm installed.
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installedPackages } from '../installed-packages.ts'
import type { Compiled } from './deployer.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const solcIndex = join(root, 'node_modules/solc/index.js')
const soljson = join(root, 'node_modules/solc/soljson.js')
const COMPILER = { version: '0.8.30', longVersion: '0.8.30+commit.73712a01' }
const TOOL_TIMEOUT_MS = 300_000

export type Project = {
  readonly folder: string
  /** Everything that the tool printed; throws with it where the tool failed. */
  readonly run: (args: readonly string[], environment?: Record<string, string>) => Promise<string>
  readonly artifact: (name: string) => Compiled
}

/** Each of its own code, so that none is verified by the likeness of another. */
export function counterSource(name: string, kind: number): string {
  return `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Base} from "./Base.sol";

/// @notice Counts from a number on.
contract ${name} is Base {
    uint256 public constant KIND = ${kind};
    uint256 public number;
    uint256 immutable first;

    constructor(uint256 first_) {
        number = first_;
        first = first_;
    }

    function increment() external returns (uint256) {
        return ++number - first;
    }
}
`
}

const BASE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

abstract contract Base {
    function kind() external pure returns (string memory) {
        return "base";
    }
}
`

function written(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

function sourcesIn(under: string, names: readonly string[], firstKind: number): Record<string, string> {
  return {
    [`${under}/Base.sol`]: BASE,
    ...Object.fromEntries(names.map((name, i) => [`${under}/${name}.sol`, counterSource(name, firstKind + i)])),
  }
}

function newFolder(tool: string): string {
  return mkdtempSync(join(tmpdir(), `firstlight-${tool}-`))
}

function runner(
  folder: string,
  command: string,
  first: readonly string[],
  environment: Record<string, string>,
): Project['run'] {
  return async (args, more = {}) => {
    const env = { PATH: process.env.PATH, HOME: folder, NO_COLOR: '1', CI: '1', ...environment, ...more }
    const options = { cwd: folder, env, timeout: TOOL_TIMEOUT_MS, maxBuffer: 2 ** 24 }
    try {
      const { stdout, stderr } = await promisify(execFile)(command, [...first, ...args], options)
      return `${stdout}\n${stderr}`
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
      throw new Error(`${command} ${args.join(' ')}: ${(error as Error).message}\n${stdout}\n${stderr}`, {
        cause: error,
      })
    }
  }
}

/** Undefined where there is no forge for this platform. */
export async function forgeProject(names: readonly string[]): Promise<Project | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const folder = newFolder('forge')
  const solc = join(folder, `.svm/${COMPILER.version}/solc-${COMPILER.version}`)
  written(folder, {
    ...sourcesIn('src', names, 100),
    'foundry.toml': `[profile.default]\nsolc = "${COMPILER.version}"\noptimizer = true\noptimizer_runs = 200\noffline = true\n`,
    [`.svm/${COMPILER.version}/solc-${COMPILER.version}`]: `#!${process.execPath}
const solc = require(${JSON.stringify(solcIndex)})
if (process.argv.includes('--version')) {
  console.log('solc, the solidity compiler commandline interface\\nVersion: ' + solc.version().replace('.Emscripten.clang', '.Linux.g++'))
} else {
  process.stdout.write(solc.compile(require('node:fs').readFileSync(0, 'utf8')))
}
`,
  })
  chmodSync(solc, 0o755)
  const forge = join(root, 'node_modules/@foundry-rs/forge-linux-amd64/bin/forge')
  const run = runner(folder, forge, [], { FOUNDRY_DISABLE_NIGHTLY_WARNING: '1' })
  await run(['build', '--skip', 'test'])
  return {
    folder,
    run: (args, more) =>
      args[0] === 'verify-contract'
        ? run([...args, '--compiler-version', COMPILER.longVersion, '--compilation-profile', 'default'], more)
        : run(args, more),
    artifact: (name) => {
      const built = JSON.parse(readFileSync(join(folder, `out/${name}.sol/${name}.json`), 'utf8'))
      return { abi: built.abi, bytecode: built.bytecode.object }
    },
  }
}

function artifactsIn(folder: string): Project['artifact'] {
  return (name) =>
    JSON.parse(readFileSync(join(folder, `artifacts/contracts/${name}.sol/${name}.json`), 'utf8')) as Compiled
}

/** `config` is the text of its configuration. */
async function hardhatProject(options: {
  package: 'hardhat2' | 'hardhat3'
  cli: string
  files: Readonly<Record<string, string>>
  names: readonly string[]
  firstKind: number
  environment: Record<string, string>
}): Promise<Project> {
  const installed = await installedPackages(options.package, join(root, 'test/packages', options.package))
  const folder = newFolder(options.package)
  written(folder, { ...sourcesIn('contracts', options.names, options.firstKind), ...options.files })
  symlinkSync(join(installed, 'node_modules'), join(folder, 'node_modules'))
  const cli = join(folder, 'node_modules/hardhat', options.cli)
  const environment = { SOLJSON: soljson, HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true', ...options.environment }
  const run = runner(folder, process.execPath, [cli], environment)
  await run(['compile'])
  return { folder, run, artifact: artifactsIn(folder) }
}

export type ServerPlace = {
  readonly apiUrl: string
  readonly nodeUrl: string
  readonly key: string
  readonly chainId: number
}

function environmentOf({ apiUrl, nodeUrl, key, chainId }: ServerPlace): Record<string, string> {
  return {
    BASE_URL: apiUrl,
    NODE_URL: nodeUrl,
    API_KEY: key,
    CHAIN_ID: String(chainId),
  }
}

export function hardhat2Project(place: ServerPlace, names: readonly string[]): Promise<Project> {
  return hardhatProject({
    package: 'hardhat2',
    cli: 'internal/cli/bootstrap.js',
    names,
    firstKind: 200,
    environment: environmentOf(place),
    files: {
      'hardhat.config.js': `${OFFLINE_HARDHAT_2}
require('@nomicfoundation/hardhat-verify')
const custom = { network: 'firstlight', chainId, urls: { apiURL: process.env.BASE_URL + '/api', browserURL: process.env.BASE_URL } }
module.exports = {
  ...common,
  etherscan: { apiKey: { firstlight: process.env.API_KEY }, customChains: [custom], enabled: process.env.VERIFIER === 'etherscan' },
  blockscout: { customChains: [custom], enabled: process.env.VERIFIER === 'blockscout' },
  sourcify: { enabled: false },
}
`,
    },
  })
}

/** The plugin asks a list of compilers for the long name of its version; everything else is as it comes. */
export function okxProject(place: ServerPlace, names: readonly string[]): Promise<Project> {
  return hardhatProject({
    package: 'hardhat2',
    cli: 'internal/cli/bootstrap.js',
    names,
    firstKind: 300,
    environment: environmentOf(place),
    files: {
      // What stands behind a proxy has no constructor.
      'contracts/Behind.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Behind {
    uint256 public number;

    function increment() external {
        number += 3;
    }
}
`,
      'hardhat.config.js': `${OFFLINE_HARDHAT_2}
require('@okxweb3/hardhat-explorer-verify')
const { MockAgent, setGlobalDispatcher } = require('undici')
const agent = new MockAgent()
agent.enableNetConnect(/127\\.0\\.0\\.1/)
const releases = { '${COMPILER.version}': 'soljson-v${COMPILER.longVersion}.js' }
agent.get('https://solc-bin.ethereum.org').intercept({ path: '/bin/list.json' }).reply(200, { releases }).persist()
setGlobalDispatcher(agent)
const urls = { apiURL: process.env.PLUGIN_URL, browserURL: process.env.BASE_URL }
const explorer = { apiKey: process.env.API_KEY, customChains: [{ network: 'firstlight', chainId, urls }] }
module.exports = { ...common, etherscan: explorer, okxweb3explorer: explorer }
`,
    },
  })
}

const OFFLINE_HARDHAT_2 = `const { subtask } = require('hardhat/config')
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require('hardhat/builtin-tasks/task-names')
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async () => ({
  compilerPath: process.env.SOLJSON, isSolcJs: true, version: '${COMPILER.version}', longVersion: '${COMPILER.longVersion}',
}))
const chainId = Number(process.env.CHAIN_ID)
const common = {
  solidity: { version: '${COMPILER.version}', settings: { optimizer: { enabled: true, runs: 200 } } },
  networks: { firstlight: { url: process.env.NODE_URL, chainId } },
}
`

export function hardhat3Project(place: ServerPlace, names: readonly string[]): Promise<Project> {
  return hardhatProject({
    package: 'hardhat3',
    cli: 'dist/src/cli.js',
    names,
    firstKind: 400,
    environment: environmentOf(place),
    files: {
      'package.json': '{ "type": "module" }',
      'hardhat.config.ts': `import hardhatVerify from '@nomicfoundation/hardhat-verify'
import { defineConfig } from 'hardhat/config'

const base = process.env.BASE_URL!
const explorer = { name: 'Firstlight', url: base, apiUrl: \`\${base}/api\` }
export default defineConfig({
  plugins: [hardhatVerify],
  solidity: {
    compilers: [{ version: '${COMPILER.version}', path: process.env.SOLJSON!, settings: { optimizer: { enabled: true, runs: 200 } } }],
  },
  networks: { firstlight: { type: 'http', url: process.env.NODE_URL!, chainId: Number(process.env.CHAIN_ID) } },
  chainDescriptors: {
    [Number(process.env.CHAIN_ID)]: { name: 'Firstlight', blockExplorers: { etherscan: explorer, blockscout: explorer } },
  },
  verify: { etherscan: { apiKey: process.env.API_KEY! }, sourcify: { apiUrl: \`\${base}/sourcify\` } },
})
`,
    },
  })
}
