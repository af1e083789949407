import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { createCompilePool } from '../compile/pool.ts'
import { createCompilers } from './compilers.ts'
import { fileFromTarball } from './npm-solc.ts'

const folder = mkdtempSync(join(tmpdir(), 'firstlight-compilers-'))
const pool = createCompilePool({ size: 1 })
afterAll(async () => {
  await pool.stop()
  rmSync(folder, { recursive: true, force: true })
})
const TIMEOUT_MS = 240_000
vi.setConfig({ testTimeout: TIMEOUT_MS })
function timeout() {
  return AbortSignal.timeout(TIMEOUT_MS)
}

describe('the compilers', () => {
  test('an operator’s binary has the version that it reports', async () => {
    const compilersDir = mkdtempSync(join(folder, 'operator-'))
    const native = join(compilersDir, 'solc-linux-amd64-v0.8.1+commit.df193b15')
    writeFileSync(
      native,
      '#!/bin/sh\necho "solc, the solidity compiler"\necho "Version: 0.8.1+commit.df193b15.Linux.g++"\n',
    )
    chmodSync(native, 0o755)
    const compilers = createCompilers({ folder, compilersDir, pool, environment: {} })
    const found = await compilers.compiler('solidity', '0.8.1', timeout())
    expect(found).toMatchObject({
      type: 'compiler',
      compiler: { longVersion: '0.8.1+commit.df193b15', origin: 'COMPILERS_DIR', program: { type: 'command' } },
    })
    expect((await compilers.list()).map(({ version, origin }) => `${version} ${origin}`)).toEqual([
      '0.8.1 COMPILERS_DIR',
      '0.8.30 package',
    ])
  })

  test.each([
    ['a list without it', `echo '["0.8.29"]'`, 'npm has no solc@0.99.99'],
    ['an error', 'echo "npm error code ENOTFOUND" >&2; exit 1', 'npm cannot list solc: npm error code ENOTFOUND'],
  ])('a compiler that npm answers with %s for is unavailable with the reason', async (_, script, reason) => {
    const compilers = createCompilers({ folder, pool, environment: npmThat(script) })
    expect(await compilers.compiler('solidity', '0.99.99', timeout())).toEqual({ type: 'unavailable', reason })
  })

  test('a package that does not have the hash which the registry publishes is not used', async () => {
    const script = `case "$1 $2" in
  'view solc') echo '["0.8.29"]' ;;
  'view solc@0.8.29') echo '{"integrity":"sha512-${Buffer.alloc(64).toString('base64')}"}' ;;
  pack*) echo planted > solc.tgz; echo '[{"filename":"solc.tgz"}]' ;;
  *) exit 1 ;;
esac`
    const compilers = createCompilers({ folder, pool, environment: npmThat(script) })
    expect(await compilers.compiler('solidity', '0.8.29', timeout())).toEqual({
      type: 'unavailable',
      reason: 'the tarball of solc@0.8.29 does not have the published hash',
    })
  })

  test('stopping ends a fetch that is under way and removes its files and processes', async () => {
    const home = mkdtempSync(join(folder, 'stopped-'))
    // A registry that never answers, and a child process that would outlive npm.
    const seconds = String(600_000 + process.pid)
    const compilers = createCompilers({ folder: home, pool, environment: npmThat(`sleep ${seconds} &\nwait`) })
    const asked = compilers.compiler('solidity', '0.8.29', timeout())
    await vi.waitUntil(() => isRunning('sleep', seconds), { timeout: 50_000 })
    await Promise.all([compilers.stop(), expect(asked).rejects.toThrow('stopping')])
    await vi.waitUntil(() => !isRunning('sleep', seconds), { timeout: 20_000 })
    expect(readdirSync(home)).toEqual([])
  })

  test('a compiler that is here is found while others are being fetched', async () => {
    const home = mkdtempSync(join(folder, 'waiting-'))
    const compilers = createCompilers({ folder: home, pool, environment: npmThat('sleep 600') })
    const asked = ['0.8.1', '0.8.2', '0.8.3'].map((version) => compilers.compiler('solidity', version, timeout()))
    expect(await compilers.compiler('solidity', '0.8.30', timeout())).toMatchObject({ type: 'compiler' })
    await Promise.all([compilers.stop(), Promise.allSettled(asked)])
  })

  test('files of a fetch whose process was killed are removed, and those of a fetch under way are not', async () => {
    const home = mkdtempSync(join(folder, 'killed-'))
    for (const name of ['.fetch-old', 'vyper-0.4.3.fetch-old', '.fetch-new']) mkdirSync(join(home, name))
    for (const name of ['.fetch-old', 'vyper-0.4.3.fetch-old']) utimesSync(join(home, name), 0, 0)
    await createCompilers({ folder: home, pool, environment: {} }).compiler('solidity', '0.8.30', timeout())
    expect(readdirSync(home)).toEqual(['.fetch-new'])
  })
})

/** An environment with an npm that runs this script. */
function npmThat(script: string): { PATH: string } {
  const bin = mkdtempSync(join(folder, 'bin-'))
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(bin, 'npm'), 0o755)
  return { PATH: bin }
}

/** Whether a process has this command line, in whatever namespace it is. */
function isRunning(...command: readonly string[]): boolean {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8') === `${command.join('\0')}\0`
      } catch {
        return false
      }
    })
}

test('one file is read from a gzipped tarball', () => {
  const header = (name: string, size: number): Buffer => {
    const block = Buffer.alloc(512)
    block.write(name)
    block.write(size.toString(8).padStart(11, '0'), 124)
    return block
  }
  const padded = (text: string): Buffer => Buffer.concat([Buffer.from(text), Buffer.alloc(512 - text.length)])
  const tarball = gzipSync(
    Buffer.concat([header('package/a', 5), padded('first'), header('package/b', 6), padded('second')]),
  )
  expect(Buffer.from(fileFromTarball(tarball, 'package/b')!).toString()).toBe('second')
  expect(fileFromTarball(tarball, 'package/c')).toBeUndefined()
})
