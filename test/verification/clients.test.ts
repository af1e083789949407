// The tools that people verify with, unmodified, against a whole server on its devnet. Each contract has code of its own, so that
// none is verified by the likeness of another; each is looked up afterwards. Tools mostly wait, so they run together, each with an account
// of its own.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { encodeAbiParameters, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Hex } from '../../src/chain/bytes/hex.ts'
import { type Client, createClient } from '../../src/client/client.ts'
import { rpc } from '../support/devnet.ts'
import { freePort } from '../support/free-port.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { type Compiled, compiledSource, createDeployer, type Deployer } from '../support/verification/deployer.ts'
import {
  forgeProject,
  hardhat2Project,
  hardhat3Project,
  okxProject,
  type Project,
  type ServerPlace,
} from '../support/verification/tool-projects.ts'

const FIRST = 7n
const ENCODED = encodeAbiParameters([{ type: 'uint256' }], [FIRST])
const TIMEOUT_MS = 600_000

let server: TestServer
let client: Client
let place: ServerPlace
const projects: Project[] = []

beforeAll(async () => {
  const devnetPort = await freePort()
  server = await startTestServer({
    ROLES: 'indexer,api,verifier,web',
    DEVNET_PORT: devnetPort,
    DEVNET_TPS: '0',
    DEVNET_BLOCK_MS: '300',
    CHAIN_SHORT_NAME: 'XLAYER',
  })
  const nodeUrl = `http://127.0.0.1:${devnetPort}`
  place = {
    apiUrl: server.url,
    nodeUrl,
    key: server.credentials.key,
    // The default chain id must not be one on which tools refuse to verify.
    chainId: Number(await rpc(nodeUrl, 'eth_chainId')),
  }
  client = createClient({ baseUrl: server.url, credentials: server.credentials })
}, TIMEOUT_MS)

afterAll(async () => {
  for (const { folder } of projects) rmSync(folder, { recursive: true, force: true })
  await server?.stop()
})

/** What the plugin itself knows of OpenZeppelin's proxies. */
function upgradesArtifact({ folder }: Project, path: string): Compiled {
  const under = 'node_modules/@openzeppelin/upgrades-core/artifacts/@openzeppelin/contracts-v5/proxy'
  return JSON.parse(readFileSync(join(folder, under, path), 'utf8')) as Compiled
}

function deployerAs(account: number): Deployer {
  return createDeployer(place.nodeUrl, { account })
}

async function opened(project: Promise<Project>): Promise<Project> {
  projects.push(await project)
  return project
}

async function infoOf(contractAddress: Hex) {
  return (await client.verifyContractInfo({ chainShortName: 'xlayer', contractAddress })).data[0]
}

async function expectVerified(address: Hex, name: string, matchType = 'exact'): Promise<void> {
  expect(await infoOf(address)).toMatchObject({
    contractName: name,
    matchType,
    constructorArguments: ENCODED,
    compilerVersion: 'v0.8.30+commit.73712a01',
    optimizationRuns: '200',
  })
}

describe.concurrent('forge', () => {
  const custom = ['--verifier', 'custom', '--verifier-api-key', 'made-up', '--verifier-url', '/api']
  const given = ['--constructor-args', ENCODED.slice(2)]
  const plugin = '/api/v5/xlayer/contract/verify-source-code-plugin/XLAYER'
  const variants = {
    Custom: [...custom, ...given],
    Oklink: ['--verifier', 'oklink', '--verifier-url', plugin, ...given],
    Blockscout: ['--verifier', 'blockscout', '--verifier-url', '/api', ...given],
    Sourcify: ['--verifier', 'sourcify', '--verifier-url', '/sourcify/', ...given],
    Flat: ['--flatten', '--force', ...custom, ...given],
    Guess: [...custom, '--guess-constructor-args'],
  } as const

  test(
    'forge verifies with every verifier, flattened, and with arguments that it guesses',
    async () => {
      const project = await forgeProject(Object.keys(variants))
      if (!project) return console.log('no forge for this platform: it is not tried')
      projects.push(project)
      const deployer = deployerAs(1)
      const placed: [string, readonly string[], Hex][] = []
      for (const [name, args] of Object.entries(variants)) {
        placed.push([name, args, await deployer.deploy(project.artifact(name), [FIRST])])
      }
      // forge asks again after 15 seconds, so all of them wait together.
      const outputs = await Promise.all(
        placed.map(([name, args, address]) =>
          project.run([
            ...['verify-contract', address, `src/${name}.sol:${name}`, '--watch', '--delay', '1'],
            ...['--chain', String(place.chainId), '--rpc-url', place.nodeUrl],
            ...args.map((arg) => (arg.startsWith('/') ? `${place.apiUrl}${arg}` : arg)),
          ]),
        ),
      )
      for (const [i, [name, , address]] of placed.entries()) {
        expect(outputs[i]).toMatch(/successfully verified/i)
        // What forge flattens has other metadata than what it built.
        await expectVerified(address, name, name === 'Flat' ? 'partial' : 'exact')
      }
    },
    TIMEOUT_MS,
  )
})

test.concurrent(
  'hardhat 2 with hardhat-verify 2 verifies by etherscan and blockscout',
  async () => {
    const project = await opened(hardhat2Project(place, ['Etherscan2', 'Blockscout2']))
    const deployer = deployerAs(2)
    for (const [name, VERIFIER] of [
      ['Etherscan2', 'etherscan'],
      ['Blockscout2', 'blockscout'],
    ] as const) {
      const address = await deployer.deploy(project.artifact(name), [FIRST])
      const args = ['verify', '--network', 'firstlight', address, String(FIRST)]
      expect(await project.run(args, { VERIFIER })).toContain(`Successfully verified contract ${name}`)
      await expectVerified(address, name)
    }
  },
  TIMEOUT_MS,
)

test.concurrent(
  'hardhat 3 with hardhat-verify 3 verifies by etherscan, blockscout and sourcify',
  async () => {
    const project = await opened(hardhat3Project(place, ['Etherscan3', 'Blockscout3', 'Sourcify3']))
    const deployer = deployerAs(3)
    for (const name of ['Etherscan3', 'Blockscout3', 'Sourcify3']) {
      const address = await deployer.deploy(project.artifact(name), [FIRST])
      const provider = name.slice(0, -1).toLowerCase()
      const output = await project.run(['verify', provider, '--network', 'firstlight', address, String(FIRST)])
      expect(output).toMatch(/verified successfully|successfully verified/i)
      await expectVerified(address, name)
    }
  },
  TIMEOUT_MS,
)

test.concurrent(
  'the plugin of a vendor, at the path where it looks, with a proxy',
  async () => {
    const project = await opened(okxProject(place, ['Vendor']))
    const PLUGIN_URL = `${place.apiUrl}/api/v5/xlayer/contract/verify-source-code-plugin/XLAYER`
    const deployer = deployerAs(4)
    const address = await deployer.deploy(project.artifact('Vendor'), [FIRST])
    const args = ['okverify', '--network', 'firstlight']
    expect(await project.run([...args, address, String(FIRST)], { PLUGIN_URL })).toMatch(/success/i)
    await expectVerified(address, 'Vendor')

    const implementation = await deployer.deploy(project.artifact('Behind'))
    const erc1967 = upgradesArtifact(project, 'ERC1967/ERC1967Proxy.sol/ERC1967Proxy.json')
    const proxy = await deployer.deploy(erc1967, [implementation, '0x'])
    const output = await project.run([...args, '--proxy', proxy], { PLUGIN_URL })
    expect(output).toContain('Successfully linked proxy to implementation.')
    expect(output).toContain('Proxy fully verified.')
    expect(await infoOf(implementation)).toMatchObject({ contractName: 'Behind', matchType: 'exact' })
    expect(await infoOf(proxy)).toMatchObject({ contractName: 'ERC1967Proxy', proxy: '1', implementation })
    await deployer.send(proxy, toFunctionSelector('increment()'))
    // A list names the call by what stands behind the proxy, and not as a guess.
    await until(
      async () => (await fetch(`${server.url}/address/${proxy}`)).text(),
      (page) => />increment<\/span>/.test(page),
    )
  },
  TIMEOUT_MS,
)

test.concurrent(
  'E15 takes a submission, reports its state, and the verified source is found',
  async () => {
    const chainShortName = 'XLAYER'
    const source = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
contract Simple { function answer() external pure returns (uint256) { return 424242; } }`
    const deployer = deployerAs(5)
    const contractAddress = await deployer.deploy(compiledSource('contracts/Simple.sol', source).get('Simple')!)
    const submission = {
      chainShortName,
      contractAddress,
      contractName: 'Simple',
      sourceCode: source,
      codeFormat: 'solidity-single-file',
      compilerVersion: 'v0.8.30+commit.73712a01',
      optimization: '1',
      optimizationRuns: '200',
      evmVersion: 'prague',
      licenseType: 'MIT',
    } as const
    const wrong = { ...submission, sourceCode: source.replace('424242', '424243') }
    const [good, bad] = [await client.verifySourceCode(submission), await client.verifySourceCode(wrong)]
    const resultOf = async (guid: string) => {
      for (;;) {
        const answer = await client.checkVerifyResult({ chainShortName, guid })
        if (answer.data[0] !== 'Pending') return answer
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
    }
    expect(await resultOf(good.data[0])).toMatchObject({ data: ['Success'] })
    expect(await resultOf(bad.data[0])).toMatchObject({ data: ['Fail'], msg: expect.stringMatching(/code/i) })
    expect(await infoOf(contractAddress)).toMatchObject({
      sourceCode: source,
      contractName: 'Simple',
      matchType: 'exact',
      evmVersion: 'prague',
      licenseType: 'MIT',
      libraryInfo: '',
      proxy: '0',
      implementation: '',
      swarmSource: expect.stringMatching(/^ipfs:\/\/Qm/),
      constructorArguments: '',
    })
    // Once verified exactly, another try is a success at once.
    const again = await client.verifySourceCode({ ...submission, licenseType: 'GPL' })
    expect(await client.checkVerifyResult({ chainShortName, guid: again.data[0] })).toMatchObject({ data: ['Success'] })
    await expect(client.checkVerifyResult({ chainShortName, guid: 'f'.repeat(32) })).rejects.toMatchObject({
      code: '51000',
    })
    const twin = await deployer.deploy(compiledSource('contracts/Simple.sol', source).get('Simple')!)
    expect(await infoOf(twin)).toMatchObject({ matchType: 'similar', similarMatch: contractAddress })
  },
  TIMEOUT_MS,
)
