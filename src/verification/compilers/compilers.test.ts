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
    const compilers = createCompilers({ folder, compilersDir, pool })
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
    ['E404', 'npm has no solc@0.99.99'],
    ['ENOTFOUND', 'npm cannot fetch solc@0.99.99: npm error code ENOTFOUND'],
  ])('a compiler that npm answers %s for is unavailable with the reason', async (code, reason) => {
    vi.stubEnv('PATH', `${npmThat(`echo "npm error code ${code}" >&2\nexit 1`)}:${process.env.PATH}`)
    try {
      const compilers = createCompilers({ folder, pool })
      const found = await compilers.compiler('solidity', '0.99.99', timeout())
      expect(found).toEqual({ type: 'unavailable', reason })
    } finally {
      vi.unstubAllEnvs()
    }
  })

  test('stopping ends a fetch that is under way and removes its files and processes', async () => {
    const home = mkdtempSync(join(folder, 'stopped-'))
    const helper = join(mkdtempSync(join(folder, 'helper-')), 'pid')
    // A registry that never answers, and a child process that would outlive npm.
    vi.stubEnv('PATH', `${npmThat(`sleep 600 &\necho $! > ${helper}\nwait`)}:${process.env.PATH}`)
    try {
      const compilers = createCompilers({ folder: home, pool })
      const asked = compilers.compiler('solidity', '0.8.29', timeout())
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

  test('files of a fetch whose process was killed are removed, and those of a fetch under way are not', async () => {
    const home = mkdtempSync(join(folder, 'killed-'))
    for (const name of ['.fetch-old', 'vyper-0.4.3.fetch-old', '.fetch-new']) mkdirSync(join(home, name))
    for (const name of ['.fetch-old', 'vyper-0.4.3.fetch-old']) utimesSync(join(home, name), 0, 0)
    await createCompilers({ folder: home, pool }).compiler('solidity', '0.8.30', timeout())
    expect(readdirSync(home)).toEqual(['.fetch-new'])
  })
})

/** A folder with an npm that runs this script, whatever its arguments are. */
function npmThat(script: string): string {
  const bin = mkdtempSync(join(folder, 'bin-'))
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(bin, 'npm'), 0o755)
  return bin
}

/** A zombie process counts as ended. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
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
