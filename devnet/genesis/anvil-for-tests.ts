// A foreign node that begins with our genesis state, for tests: what works there works by the rules and not by our engine.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { addressToHex, bytesToHex, toQuantity, wordToHex } from '../../src/chain/bytes/hex.ts'
import { genesisState } from './genesis-state.ts'
import type { GenesisAccount } from './predeploys.ts'

export type Anvil = { readonly url: string; stop(): Promise<void> }

export async function startAnvil({ chainId, args = [] }: { chainId: number; args?: string[] }): Promise<Anvil> {
  const folder = mkdtempSync(join(tmpdir(), 'anvil-'))
  const genesisFile = join(folder, 'genesis.json')
  writeFileSync(genesisFile, JSON.stringify(genesisJson(chainId, genesisState({ fork: 'isthmus' }))))

  const port = 20_000 + Math.floor(Math.random() * 10_000)
  const flags = [
    '--port',
    `${port}`,
    '--init',
    genesisFile,
    '--chain-id',
    `${chainId}`,
    '--network',
    'optimism',
    ...args,
  ]
  const anvil = spawn(binary(), flags, { stdio: ['ignore', 'pipe', 'inherit'] })
  await listening(anvil)
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      anvil.kill()
      if (anvil.exitCode === null && anvil.signalCode === null) await once(anvil, 'exit')
      rmSync(folder, { recursive: true })
    },
  }
}

function binary(): string {
  const platform = `${process.platform === 'darwin' ? 'darwin' : 'linux'}-${process.arch === 'arm64' ? 'arm64' : 'amd64'}`
  return createRequire(import.meta.url).resolve(`@foundry-rs/anvil-${platform}/bin/anvil`)
}

async function listening(anvil: ChildProcess): Promise<void> {
  for await (const line of createInterface({ input: anvil.stdout! })) {
    if (line.startsWith('Listening on')) {
      anvil.stdout!.resume()
      return
    }
  }
  throw new Error('anvil ended before it listened')
}

function genesisJson(chainId: number, accounts: readonly GenesisAccount[]) {
  const alloc = accounts.map(({ address, balance, nonce, code, storage }) => [
    addressToHex(address),
    {
      balance: toQuantity(balance),
      nonce: toQuantity(nonce),
      code: bytesToHex(code),
      storage: Object.fromEntries(storage.map(([slot, value]) => [wordToHex(slot), wordToHex(value)])),
    },
  ])
  return {
    config: { chainId },
    nonce: '0x0',
    timestamp: toQuantity(Math.floor(Date.now() / 1000) - 60),
    extraData: '0x',
    gasLimit: toQuantity(300_000_000),
    difficulty: '0x0',
    mixHash: wordToHex(0n),
    coinbase: addressToHex(0n),
    alloc: Object.fromEntries(alloc),
  }
}
