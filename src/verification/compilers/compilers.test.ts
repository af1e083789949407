import {
  chmodSync,
  existsSync,
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
import { longVersionOf, parseCompilerVersion, releasesAllowed } from '../input/compiler-version.ts'
import { createCompilers } from './compilers.ts'
import { fileFromTarball } from './npm-solc.ts'

const folder = mkdtempSync(join(tmpdir(), 'firstlight-compilers-'))
const pool = createCompilePool({ size: 1 })
afterAll(async () => {
  await pool.stop()
  rmSync(folder, { recursive: true, force: true })
})
const PATIENCE_MS = 240_000
vi.setConfig({ testTimeout: PATIENCE_MS })
function patience() {
  return AbortSignal.timeout(PATIENCE_MS)
}

describe('a version', () => {
  test.each([
    ['v0.8.30+commit.73712a01', '0.8.30', false],
    ['0.8.30', '0.8.30', false],
    ['vyper:0.3.10', '0.3.10', false],
    ['0.4.3+commit.bff19ea2', '0.4.3', false],
    ['v0.8.31-nightly.2025.6.1+commit.aaaaaaaa', '0.8.31', true],
    ['0.4.1rc3', '0.4.1', true],
  ])('%s is understood', (text, version, isPrerelease) => {
    expect(parseCompilerVersion(text)).toEqual({ version, isPrerelease })
  })

  test.each(['', 'latest', '0.8', 'v0.8.30; rm -rf', '^0.8.0'])('%j is none', (text) => {
    expect(parseCompilerVersion(text)).toBeUndefined()
  })

  test('is read from what a compiler says of itself', () => {
    expect(longVersionOf('0.8.30+commit.73712a01.Emscripten.clang')).toBe('0.8.30+commit.73712a01')
    expect(longVersionOf('Version: 0.8.7+commit.e28d00a7.Linux.g++')).toBe('0.8.7+commit.e28d00a7')
    expect(longVersionOf('no compiler')).toBeUndefined()
  })
})

describe('pragmas', () => {
  const releases = ['0.5.17', '0.6.12', '0.7.6', '0.8.0', '0.8.19', '0.8.30']
  const allowed = (...pragmas: string[]) =>
    releasesAllowed({ sources: pragmas.map((range) => `pragma solidity ${range};`), releases }, 3)

  test.each([
    [['^0.8.0'], ['0.8.30', '0.8.19', '0.8.0']],
    [['>=0.6.0 <0.8.0'], ['0.7.6', '0.6.12']],
    [['0.8.19'], ['0.8.19']],
    [['=0.7.6'], ['0.7.6']],
    [['~0.8.1'], ['0.8.30', '0.8.19']],
    [['^0.5.0 || ^0.7.0'], ['0.7.6', '0.5.17']],
    [
      ['>=0.6.0', '<=0.8.0'],
      ['0.8.0', '0.7.6', '0.6.12'],
    ],
    [['^0.9.0'], []],
  ])('%j allow %j', (pragmas, expected) => {
    expect(allowed(...pragmas)).toEqual(expected)
  })
})

describe('the compilers', () => {
  test('take an operator’s binary for what it says it is', async () => {
    const compilersDir = mkdtempSync(join(folder, 'operator-'))
    const native = join(compilersDir, 'solc-linux-amd64-v0.8.1+commit.df193b15')
    writeFileSync(
      native,
      '#!/bin/sh\necho "solc, the solidity compiler"\necho "Version: 0.8.1+commit.df193b15.Linux.g++"\n',
    )
    chmodSync(native, 0o755)
    const compilers = createCompilers({ folder, compilersDir, pool })
    const found = await compilers.compiler('solidity', '0.8.1', patience())
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
    ['E404', 'npm has no solc@0.99.99'],
    ['ENOTFOUND', 'npm does not give solc@0.99.99: npm error code ENOTFOUND'],
  ])('say why one is not to be had where npm answers %s', async (code, reason) => {
    vi.stubEnv('PATH', `${npmThat(`echo "npm error code ${code}" >&2\nexit 1`)}:${process.env.PATH}`)
    try {
      const compilers = createCompilers({ folder, pool })
      const found = await compilers.compiler('solidity', '0.99.99', patience())
      expect(found).toEqual({ type: 'unavailable', reason })
    } finally {
      vi.unstubAllEnvs()
    }
  })

  test('end a fetch that is under way when they stop, and leave nothing of it', async () => {
    const home = mkdtempSync(join(folder, 'stopped-'))
    const helper = join(mkdtempSync(join(folder, 'helper-')), 'pid')
    // A registry that never answers, and a helper that would outlive the client.
    vi.stubEnv('PATH', `${npmThat(`sleep 600 &\necho $! > ${helper}\nwait`)}:${process.env.PATH}`)
    try {
      const compilers = createCompilers({ folder: home, pool })
      const asked = compilers.compiler('solidity', '0.8.29', patience())
      const pid = await vi.waitUntil(() => existsSync(helper) && Number(readFileSync(helper, 'utf8')), {
        timeout: 50_000,
      })
      expect(isAlive(pid)).toBe(true)
      await Promise.all([compilers.stop(), expect(asked).rejects.toThrow('stopping')])
      await vi.waitUntil(() => !isAlive(pid), { timeout: 20_000 })
      expect(readdirSync(home)).toEqual([])
    } finally {
      vi.unstubAllEnvs()
    }
  })

  test('remove what a killed process had half fetched, and nothing that somebody is at', async () => {
    const home = mkdtempSync(join(folder, 'killed-'))
    for (const name of ['.fetch-old', 'vyper-0.4.3.fetch-old', '.fetch-new']) mkdirSync(join(home, name))
    for (const name of ['.fetch-old', 'vyper-0.4.3.fetch-old']) utimesSync(join(home, name), 0, 0)
    await createCompilers({ folder: home, pool }).compiler('solidity', '0.8.30', patience())
    expect(readdirSync(home)).toEqual(['.fetch-new'])
  })
})

/** A folder with a client that does this, whatever it is asked. */
function npmThat(script: string): string {
  const bin = mkdtempSync(join(folder, 'bin-'))
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(bin, 'npm'), 0o755)
  return bin
}

/** One that ended and that nobody has asked after yet counts as gone. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

test('a file is taken out of a tarball', () => {
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
  expect(fileFromTarball(tarball, 'package/c')).toBeNull()
})
