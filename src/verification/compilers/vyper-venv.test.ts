// Vyper is installed with the real pip from an index of this test: a folder with wheels.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { createCompilePool } from '../compile/pool.ts'
import { createCompilers } from './compilers.ts'
import { lockFromReport } from './vyper-lock.ts'

const TIMEOUT_MS = 240_000
vi.setConfig({ testTimeout: TIMEOUT_MS })
const root = mkdtempSync(join(tmpdir(), 'firstlight-vyper-'))
const folder = join(root, 'compilers')
const index = join(root, 'index')
const pool = createCompilePool({ size: 1 })
afterAll(async () => {
  await pool.stop()
  rmSync(root, { recursive: true, force: true })
})

/** Writes a wheel of three files, or a source distribution whose build would leave a file behind. */
const PACK = `
import io, os, sys, tarfile, zipfile
index, name, version, kind, code = sys.argv[1:]
os.makedirs(index, exist_ok=True)
if kind == 'wheel':
    about = f'{name}-{version}.dist-info'
    with zipfile.ZipFile(f'{index}/{name}-{version}-py3-none-any.whl', 'w') as wheel:
        wheel.writestr(f'{name}/__init__.py', code)
        wheel.writestr(f'{about}/METADATA', f'Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n')
        wheel.writestr(f'{about}/WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
        wheel.writestr(f'{about}/RECORD', '')
else:
    with tarfile.open(f'{index}/{name}-{version}.tar.gz', 'w:gz') as archive:
        entry = tarfile.TarInfo(f'{name}-{version}/setup.py')
        entry.size = len(code)
        archive.addfile(entry, io.BytesIO(code.encode()))
`
function publish(name: string, version: string, code: string, kind: 'wheel' | 'sources' = 'wheel'): void {
  execFileSync('python3', ['-c', PACK, index, name, version, kind, code])
}

/** A folder with one Python: a machine may have several, and a version that cannot be installed is tried with each. */
function onePython(): string {
  const bin = mkdtempSync(join(root, 'bin-'))
  const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim()
  symlinkSync(python, join(bin, 'python3'))
  return bin
}

const environment = { PATH: onePython(), PIP_NO_INDEX: '1', PIP_FIND_LINKS: index }
function vypers(more: Record<string, string> = {}) {
  const compilers = createCompilers({ folder, pool, environment: { ...environment, ...more } })
  return (version: string) => compilers.compiler('vyper', version, AbortSignal.timeout(TIMEOUT_MS))
}

test('a version is installed by the hashes that were recorded when it was installed first', async () => {
  publish('setuptools', '80.0.0', '')
  publish('vyper', '9.9.8', '__version__ = "9.9.8+commit.0123abc"')
  expect(await vypers()('9.9.8')).toMatchObject({
    type: 'compiler',
    compiler: { version: '9.9.8', longVersion: '9.9.8+commit.0123abc', origin: 'fetched' },
  })
  const [lock] = readdirSync(folder).filter((name) => name.endsWith('.lock'))
  const text = readFileSync(join(folder, lock!), 'utf8')
  expect(text).toMatch(/^vyper==9\.9\.8 --hash=sha256:[0-9a-f]{64}$/m)
  expect(text).toMatch(/^setuptools==80\.0\.0 --hash=sha256:[0-9a-f]{64}$/m)

  rmSync(join(folder, 'vyper-9.9.8'), { recursive: true })
  publish('vyper', '9.9.8', '__version__ = "9.9.8+commit.7654321"')
  expect(await vypers()('9.9.8')).toEqual({
    type: 'unavailable',
    reason: expect.stringMatching(/^pip cannot install vyper 9\.9\.8: .*HASHES/),
  })
  expect(existsSync(join(folder, 'vyper-9.9.8'))).toBe(false)
})

test('a release without a wheel is not built, and a version that the index does not have is refused by its list', async () => {
  const left = join(root, 'left-behind')
  publish('vyper', '9.9.7', `open(${JSON.stringify(left)}, "w")`, 'sources')
  const vyper = vypers()
  expect(await vyper('9.9.7')).toMatchObject({ type: 'unavailable', reason: expect.stringContaining('9.9.7') })
  expect(existsSync(left)).toBe(false)
  expect(await vyper('9.9.9')).toEqual({ type: 'unavailable', reason: 'PyPI has no vyper 9.9.9' })
})

test('an index that cannot be reached is said to be so, and not to lack the version', async () => {
  const away = { PIP_NO_INDEX: '0', PIP_FIND_LINKS: '', PIP_INDEX_URL: 'http://127.0.0.1:9/simple' }
  expect(await vypers(away)('9.9.6')).toEqual({
    type: 'unavailable',
    reason: expect.stringMatching(/^the package index of pip does not answer/),
  })
})

const SHA256 = '0'.repeat(64)
function reportOf(changes: object) {
  const known = { metadata: { name: 'vyper', version: '9.9.9' } }
  const download_info = { url: 'https://host/vyper.whl', archive_info: { hashes: { sha256: SHA256 } } }
  return JSON.stringify({ install: [{ ...known, download_info, ...changes }] })
}

test('a lock has wheels with their hashes and nothing else', () => {
  expect(lockFromReport(reportOf({}))).toEqual({
    type: 'lock',
    wheels: [{ name: 'vyper', version: '9.9.9', sha256: SHA256 }],
  })
  const refused = [
    reportOf({ metadata: { name: 'vyper', version: '0.4.3' } }),
    reportOf({ metadata: { name: 'vyper --index-url=http://elsewhere', version: '1' } }),
    reportOf({ download_info: { url: 'https://host/vyper.tar.gz', archive_info: { hashes: { sha256: SHA256 } } } }),
    reportOf({ download_info: { url: 'https://host/vyper.whl', archive_info: {} } }),
  ].map((report) => lockFromReport(report))
  expect(refused.map((lock) => lock.type === 'refused' && lock.reason)).toEqual([
    'the wheel of vyper 0.4.3 in the package index is not the one that was published',
    'pip reports a package without a name',
    'vyper 9.9.9 is published without a wheel',
    'the package index has no hash of vyper 9.9.9',
  ])
  expect(lockFromReport(reportOf({}), [`vyper==9.9.9 --hash=sha256:${SHA256}\n`]).type).toBe('lock')
  expect(lockFromReport(reportOf({}), [`vyper==9.9.9 --hash=sha256:${'1'.repeat(64)}\n`]).type).toBe('refused')
})
