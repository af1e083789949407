// The devnet as clients see it: viem, ethers, cast and forge use it without knowing what it is.
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ContractFactory, HDNodeWallet, JsonRpcProvider, Wallet, WebSocketProvider } from 'ethers'
import {
  createPublicClient,
  createWalletClient,
  defineChain,
  type Hex,
  http,
  keccak256,
  numberToHex,
  parseAbiItem,
  parseEther,
  webSocket,
} from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { artifactOf } from '../../devnet/contracts/artifact.ts'
import type { Devnet } from '../../devnet/devnet.ts'
import { developers, TEST_MNEMONIC } from '../../devnet/genesis/accounts.ts'
import { hexToBytes } from '../../src/chain/bytes/hex.ts'
import { encodeRlp } from '../../src/chain/bytes/rlp.ts'
import { decodeAccount } from '../../src/chain/trie/account.ts'
import { provenValue } from '../../src/chain/trie/trie-proof.ts'
import { startLivelyDevnet } from '../support/devnet.ts'

const WRAPPED_ETHER = '0x4200000000000000000000000000000000000006'
const L1_BLOCK = '0x4200000000000000000000000000000000000015'
const MULTICALL = '0xca11bde05977b3631167028862be2a173976ca11'
const RECEIVER = '0x00000000000000000000000000000000000c0de5'
const { abi, bytecode } = artifactOf('WrappedEther')

let devnet: Devnet
beforeAll(async () => {
  devnet = await startLivelyDevnet()
})
afterAll(() => devnet.stop())

const chain = defineChain({
  id: 1_337_200,
  name: 'Devnet',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
  contracts: { multicall3: { address: MULTICALL } },
})

describe('viem', () => {
  const account = mnemonicToAccount(TEST_MNEMONIC, { addressIndex: 0 })
  const reader = () => createPublicClient({ chain, transport: http(devnet.url), pollingInterval: 50 })
  const writer = () => createWalletClient({ account, chain, transport: http(devnet.url) })

  test('viem sends Ether and waits for the receipt', async () => {
    const hash = await writer().sendTransaction({ to: RECEIVER, value: parseEther('1') })
    const receipt = await reader().waitForTransactionReceipt({ hash })
    expect(receipt.status).toBe('success')
    expect(await reader().getBalance({ address: RECEIVER })).toBe(parseEther('1'))
  })

  test('viem deploys, writes, reads and finds the logs', async () => {
    const created = await writer().deployContract({ abi, bytecode })
    const { contractAddress } = await reader().waitForTransactionReceipt({ hash: created })
    const contract = { abi, address: contractAddress! }
    const { request } = await reader().simulateContract({ ...contract, account, functionName: 'deposit', value: 7n })
    const hash = await writer().writeContract(request)
    await reader().waitForTransactionReceipt({ hash })
    expect(await reader().readContract({ ...contract, functionName: 'balanceOf', args: [account.address] })).toBe(7n)
    const event = parseAbiItem('event Deposit(address indexed account, uint256 amount)')
    const args = { account: account.address }
    const logs = await reader().getLogs({ event, args, address: contractAddress!, fromBlock: 0n })
    expect(logs).toMatchObject([{ transactionHash: hash, args: { amount: 7n } }])
  })

  test('viem asks many things at once', async () => {
    const call = { abi, address: WRAPPED_ETHER, functionName: 'decimals' } as const
    expect(await reader().multicall({ contracts: [call, call], allowFailure: false })).toEqual([18, 18])
  })

  test('viem watches blocks over a WebSocket', async () => {
    const client = createPublicClient({ chain, transport: webSocket(devnet.wsUrl, { reconnect: false }) })
    const seen: bigint[] = []
    const { promise: enough, resolve } = Promise.withResolvers<void>()
    const unwatch = client.watchBlocks({
      onBlock: ({ number }) => {
        seen.push(number)
        if (seen.length === 3) resolve()
      },
    })
    await enough
    unwatch()
    expect(seen[1]! - seen[0]!).toBeGreaterThan(0n)
    expect(seen[2]! - seen[1]!).toBeGreaterThan(0n)
    await client.transport.getRpcClient().then((rpcClient) => rpcClient.close())
  })

  test('viem gets proofs that hold against the header', async () => {
    const block = await reader().getBlock({ blockTag: 'latest' })
    const storageKeys = [numberToHex(1, { size: 32 }), numberToHex(99, { size: 32 })]
    const proof = await reader().getProof({ address: L1_BLOCK, storageKeys, blockNumber: block.number })
    const prove = (root: Hex, key: Hex, nodes: readonly Hex[]) =>
      provenValue({ root: hexToBytes(root), key: hexToBytes(keccak256(key)), proof: nodes.map(hexToBytes) })
    expect(decodeAccount(prove(block.stateRoot, L1_BLOCK, proof.accountProof)!)).toMatchObject({
      nonce: BigInt(proof.nonce),
      balance: proof.balance,
      storageRoot: hexToBytes(proof.storageHash),
    })
    const [there, absent] = proof.storageProof
    expect(there!.value).toBeGreaterThan(0n)
    expect(prove(proof.storageHash, storageKeys[0]!, there!.proof)).toEqual(encodeRlp(there!.value))
    expect(prove(proof.storageHash, storageKeys[1]!, absent!.proof)).toBeNull()
  })

  test('viem delegates an account to code (EIP-7702)', async () => {
    const delegate = privateKeyToAccount(developers[3]!.key)
    const wallet = createWalletClient({ account: delegate, chain, transport: http(devnet.url) })
    const authorization = await wallet.signAuthorization({ contractAddress: WRAPPED_ETHER, executor: 'self' })
    const hash = await wallet.sendTransaction({ to: delegate.address, authorizationList: [authorization] })
    await reader().waitForTransactionReceipt({ hash })
    expect(await reader().getCode({ address: delegate.address })).toBe(`0xef0100${WRAPPED_ETHER.slice(2)}`)
  })
})

// The provider is not destroyed: a request that is still open would fail without a handler.
describe('ethers', () => {
  test('ethers deploys a contract, calls it and waits for one confirmation', async () => {
    const provider = new JsonRpcProvider(devnet.url, undefined, { pollingInterval: 50 })
    const signer = HDNodeWallet.fromPhrase(TEST_MNEMONIC, undefined, "m/44'/60'/0'/0/1").connect(provider)
    const contract = await new ContractFactory(abi as never, bytecode, signer).deploy()
    await contract.waitForDeployment()
    const deposit = await contract.getFunction('deposit').send({ value: 5n })
    expect((await deposit.wait(1))!.status).toBe(1)
    expect(await contract.getFunction('balanceOf')(signer.address)).toBe(5n)
    await expect(contract.getFunction('withdraw').staticCall(6n)).rejects.toMatchObject({ code: 'CALL_EXCEPTION' })
    await provider.removeAllListeners()
  })

  test('ethers gets new blocks over a WebSocket', async () => {
    const provider = new WebSocketProvider(devnet.wsUrl)
    const number = await new Promise<number>((resolve) => provider.once('block', resolve))
    expect(number).toBeGreaterThan(0)
    await provider.removeAllListeners()
    // Everything that was asked before is answered then.
    await provider.getBlockNumber()
    await provider.destroy()
  })

  test('ethers lets the node sign for its own accounts', async () => {
    const provider = new JsonRpcProvider(devnet.url, undefined, { pollingInterval: 50 })
    const signer = await provider.getSigner(4)
    const sent = await signer.sendTransaction({ to: Wallet.createRandom().address, value: 1n })
    expect((await sent.wait(1))!.from).toBe(signer.address)
    await provider.removeAllListeners()
  })
})

function foundry(tool: 'cast' | 'forge'): string {
  return fileURLToPath(new URL(`../../node_modules/@foundry-rs/${tool}-linux-amd64/bin/${tool}`, import.meta.url))
}
const hasFoundry = process.platform === 'linux' && process.arch === 'x64'
if (!hasFoundry) console.log('no foundry for this platform: cast and forge are not tried')

describe.runIf(hasFoundry)('foundry', () => {
  const home = mkdtempSync(join(tmpdir(), 'foundry-'))
  afterAll(() => rmSync(home, { recursive: true, force: true }))
  const run = async (tool: 'cast' | 'forge', ...args: readonly string[]): Promise<string> => {
    const env = { HOME: home, PATH: process.env.PATH, FOUNDRY_DISABLE_NIGHTLY_WARNING: '1', NO_COLOR: '1' }
    const { stdout } = await promisify(execFile)(foundry(tool), args, { env, cwd: home })
    return stdout.trim()
  }
  const cast = (command: string, ...args: readonly string[]) => run('cast', command, '--rpc-url', devnet.url, ...args)
  const key = ['--private-key', developers[2]!.key]

  test('foundry sends and calls with cast', async () => {
    const sent = JSON.parse(await cast('send', '--json', ...key, WRAPPED_ETHER, 'deposit()', '--value', '9'))
    expect(sent.status).toBe('0x1')
    const balance = await cast('call', WRAPPED_ETHER, 'balanceOf(address)(uint256)', developers[2]!.address)
    expect(balance).toBe('9')
    const created = JSON.parse(await cast('send', '--json', ...key, '--create', bytecode))
    expect(await cast('code', created.contractAddress)).toMatch(/^0x60/)
  }, 60_000)

  test('foundry creates a contract with forge, from source', async () => {
    const source = 'pragma solidity 0.8.30; contract Answer { uint256 public answer = 42; }'
    mkdirSync(join(home, 'src'))
    writeFileSync(join(home, 'src/Answer.sol'), source)
    const solc = offlineCompiler(home)
    const args = ['create', '--broadcast', '--json', '--use', solc, '--rpc-url', devnet.url, ...key]
    const { deployedTo } = JSON.parse(await run('forge', ...args, 'src/Answer.sol:Answer')) as { deployedTo: Hex }
    expect(await cast('call', deployedTo, 'answer()(uint256)')).toBe('42')
  }, 120_000)
})

/** The compiler that npm installed, as the executable that forge expects: it would download its own. */
function offlineCompiler(folder: string): string {
  const compiler = fileURLToPath(new URL('../../node_modules/solc/index.js', import.meta.url))
  const file = join(folder, 'solc')
  const program = `#!${process.execPath}
const solc = require(${JSON.stringify(compiler)})
if (process.argv.includes('--version')) {
  console.log('solc, the solidity compiler commandline interface\\nVersion: ' + solc.version().replace('.Emscripten.clang', '.Linux.g++'))
} else {
  process.stdout.write(solc.compile(require('node:fs').readFileSync(0, 'utf8')))
}
`
  writeFileSync(file, program)
  chmodSync(file, 0o755)
  return file
}
