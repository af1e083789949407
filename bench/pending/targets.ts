// The services that are compared: each has the same contract at the same place, and answers at `pending`.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../test/support/free-port.ts'
import { installedPackages } from '../../test/support/installed-packages.ts'
import { ask } from './load.ts'

export type Target = { readonly name: string; readonly url: string; readonly pid: number; stop(): Promise<void> | void }

export type Contract = { readonly address: string; readonly code: string }

/** Null where there is no binary for this machine. */
export async function startAnvil({ address, code }: Contract): Promise<Target | null> {
  const binary = anvilBinary()
  if (binary === null) return null
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(binary, ['-p', port, '-q', '--network', 'optimism'], { stdio: 'ignore' })
  await untilAnswering(url)
  await ask(url, 'anvil_setCode', address, code)
  return targetOf('anvil', url, child)
}

/** Null where it cannot be installed. */
export async function startHardhat({ address, code }: Contract): Promise<Target | null> {
  const source = fileURLToPath(new URL('../../test/packages/hardhat3', import.meta.url))
  const installed = await installedPackages('hardhat3', source).catch(() => null)
  if (installed === null) return null
  const folder = mkdtempSync(join(tmpdir(), 'hardhat-'))
  symlinkSync(join(installed, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(
    join(folder, 'hardhat.config.ts'),
    `import { defineConfig } from 'hardhat/config'\nexport default defineConfig({ networks: { node: { type: 'edr-simulated', loggingEnabled: false } } })\n`,
  )
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const cli = join(folder, 'node_modules/hardhat/dist/src/cli.js')
  const child = spawn(process.execPath, [cli, 'node', '--port', port], {
    cwd: folder,
    stdio: 'ignore',
    env: { ...process.env, HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true', CI: 'true' },
  })
  await untilAnswering(url)
  await ask(url, 'hardhat_setCode', address, code)
  return targetOf('hardhat', url, child, () => rmSync(folder, { recursive: true, force: true }))
}

function targetOf(name: string, url: string, child: ChildProcess, clean = () => {}): Target {
  process.once('exit', () => child.kill())
  return {
    name,
    url,
    pid: child.pid!,
    stop() {
      child.kill()
      clean()
    },
  }
}

function anvilBinary(): string | null {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  try {
    return createRequire(import.meta.url).resolve(`@foundry-rs/anvil-${process.platform}-${arch}/bin/anvil`)
  } catch {
    return null
  }
}

async function untilAnswering(url: string): Promise<void> {
  for (let attempt = 0; attempt < START_ATTEMPTS; attempt++) {
    const isAnswering = await ask(url, 'eth_chainId').then(
      () => true,
      () => false,
    )
    if (isAnswering) return
    await sleep(100)
  }
  throw new Error(`${url} does not answer`)
}

const START_ATTEMPTS = 600
