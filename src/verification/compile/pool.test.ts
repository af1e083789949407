// The limits of compiling, with the bundled compiler and real processes.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import type { Limits, RunResult } from './compiler.ts'
import { createCompilePool } from './pool.ts'

const file = createRequire(import.meta.url).resolve('solc/soljson.js')
const soljson = { type: 'soljson', file } as const
// On a busy machine compilers are slow, and tests must wait for them.
const TIMEOUT_MS = 240_000
vi.setConfig({ testTimeout: TIMEOUT_MS })

const pool = createCompilePool({ size: 2 })
afterAll(() => pool.stop())

const ROOMY: Limits = { wallMs: 60_000, memoryBytes: 2 ** 31, outputBytes: 64_000_000 }

function inputOf(content: string, settings: object = {}): string {
  return JSON.stringify({
    language: 'Solidity',
    sources: { 'A.sol': { content } },
    settings: { outputSelection: { '*': { '*': ['evm.bytecode.object'] } }, ...settings },
  })
}

function compile(content: string, limits: Partial<Limits> = {}, settings: object = {}): Promise<RunResult> {
  return pool.compile(soljson, inputOf(content, settings), {
    limits: { ...ROOMY, ...limits },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
}

const SMALL = 'contract A { uint256 public size = 1; }'

/** Thousands of functions through the IR pipeline: hundreds of megabytes and minutes. */
const bomb = `contract A { ${Array.from({ length: 3000 }, (_, i) => `function f${i}(uint256 x) external pure returns (uint256) { return x ** ${i} + ${i}; }`).join('\n')} }`
const VIA_IR = { viaIR: true, optimizer: { enabled: true, runs: 200 } }

describe('compiling', () => {
  test('one process compiles several inputs, one after the other', async () => {
    for (let i = 0; i < 3; i++) {
      const outcome = await compile(SMALL)
      if (outcome.type !== 'output') throw new Error(outcome.message)
      expect(JSON.parse(outcome.output).contracts['A.sol'].A.evm.bytecode.object).toMatch(/^6080/)
    }
    expect(pool.processes).toBe(1)
  })

  test('concurrent jobs never run in the process of another compiler version', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'firstlight-pool-'))
    const other = join(folder, 'soljson.js')
    const named = `Module.cwrap = ((cwrap) => (name, ...rest) => name.endsWith('version') ? () => '0.8.0+commit.00000000' : cwrap(name, ...rest))(Module.cwrap)`
    writeFileSync(other, `${readFileSync(file)}\n${named}\n`)
    const two = createCompilePool({ size: 2 })
    const versionOf = async (each: string) => {
      const outcome = await two.versionOf(each, AbortSignal.timeout(TIMEOUT_MS))
      return outcome.type === 'output' ? outcome.output : outcome.message
    }
    const own = await versionOf(file)
    expect(await versionOf(other)).not.toBe(own)
    expect(await Promise.all([versionOf(file), versionOf(file)])).toEqual([own, own])
    await two.stop()
    rmSync(folder, { recursive: true })
  })

  test('a compilation over its time limit is stopped while others finish', async () => {
    const [late, ...others] = await Promise.all([
      compile(bomb, { wallMs: 4_000 }, VIA_IR),
      ...Array.from({ length: 9 }, () => compile(SMALL)),
    ])
    expect(late).toMatchObject({ type: 'over', limit: 'time' })
    expect(others.map(({ type }) => type)).toEqual(Array(9).fill('output'))
    expect(pool.processes).toBeLessThanOrEqual(2)
  })

  test('a compilation over its memory limit is stopped', async () => {
    const outcome = await compile(bomb, { memoryBytes: 200 * 2 ** 20 }, VIA_IR)
    expect(outcome).toMatchObject({ type: 'over', limit: 'memory' })
  })

  test('a compilation over its output limit is stopped', async () => {
    expect(await compile(SMALL, { outputBytes: 100 })).toMatchObject({ type: 'over', limit: 'output' })
  })

  test('a source of ten megabytes is compiled, or stopped by its time limit', async () => {
    const outcome = await compile(`${SMALL}\n/*${'x'.repeat(10_000_000)}*/`, { wallMs: 5_000 })
    // An input that does not fit into the compiler would crash it as soon as it arrives.
    if (outcome.type !== 'output') expect(outcome).toMatchObject({ type: 'over', limit: 'time' })
  })

  test('an input that breaks the compiler is reported as crashed, and the next input compiles', async () => {
    const outcome = await compile(`contract A { uint a = ${'('.repeat(20_000)}1${')'.repeat(20_000)}; }`)
    expect(outcome).toMatchObject({ type: 'crashed', message: expect.stringContaining('call stack') })
    expect((await compile(SMALL)).type).toBe('output')
  })

  test('a compilation whose signal aborts is stopped', async () => {
    const controller = new AbortController()
    const unwanted = pool.compile(soljson, inputOf(bomb, VIA_IR), { limits: ROOMY, signal: controller.signal })
    setTimeout(() => controller.abort(new Error('changed my mind')), 300)
    await expect(unwanted).rejects.toThrow('changed my mind')
    expect((await compile(SMALL)).type).toBe('output')
  })

  test('the pool answers busy when 64 compilations wait', async () => {
    const controller = new AbortController()
    const asked = Array.from({ length: 70 }, () =>
      pool.compile(soljson, inputOf(bomb, VIA_IR), { limits: ROOMY, signal: controller.signal }).catch(() => null),
    )
    expect(await asked.at(-1)).toMatchObject({ type: 'busy' })
    controller.abort(new Error('enough'))
    expect((await Promise.all(asked)).filter((outcome) => outcome?.type === 'busy')).toHaveLength(4)
  })
})

describe('a compiler’s process', () => {
  test.each([
    ['reading a file', `require('node:fs').readFileSync('/etc/hostname')`],
    ['writing a file', `require('node:fs').writeFileSync('/tmp/firstlight-escaped', '')`],
    ['starting a program', `require('node:child_process').execSync('true')`],
  ])('the process of a compiler is refused %s', async (_, code) => {
    const folder = mkdtempSync(join(tmpdir(), 'firstlight-escape-'))
    const fake = join(folder, 'soljson.js')
    writeFileSync(fake, code)
    try {
      const outcome = await pool.versionOf(fake, AbortSignal.timeout(TIMEOUT_MS))
      expect(outcome).toMatchObject({ type: 'crashed', message: expect.stringContaining('has been restricted') })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
