import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, describe, expect, test } from 'vitest'
import { isTimeOver, limitProcess, residentBytes } from './process-limits.ts'

const children: ChildProcess[] = []
afterAll(() => {
  // Each child has a process group of its own, with the processes that it started.
  for (const { pid } of children) process.kill(-pid!, 'SIGKILL')
})

/** Starts the script behind a shell, as behind a sandbox. */
async function started(script: string): Promise<number> {
  const command = `"${process.execPath}" -e "console.log(1); ${script}"; true`
  const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'], detached: true })
  children.push(child)
  await once(child.stdout!, 'data')
  return child.pid!
}

describe('the time of a process', () => {
  test.each([
    ['before the limit', { wallMs: 900, cpuMs: 5_000 }, false],
    ['with a processor of its own', { wallMs: 1_100, cpuMs: 1_050 }, true],
    ['waiting for a processor', { wallMs: 2_900, cpuMs: 950 }, false],
    ['waiting three times the limit', { wallMs: 3_100, cpuMs: 0 }, true],
  ])('the time of a process is judged by clock and processor time: %s', (_when, spent, isOver) => {
    expect(isTimeOver(spent, 1_000)).toBe(isOver)
  })

  test('the time of a process is exceeded whether it computes or waits', async () => {
    const [busy, idle] = [await started('for (;;);'), await started('setInterval(() => {}, 1000)')]
    const limited = [busy, idle].map((pid) => limitProcess(pid, { wallMs: 300, memoryBytes: 2 ** 40 }))
    expect(await Promise.all(limited.map(({ exceeded }) => exceeded))).toEqual(['time', 'time'])
    for (const { stop } of limited) stop()
  })
})

test('the memory of a child process counts for the process in front of it', async () => {
  const pid = await started('globalThis.held = Buffer.alloc(300000000, 1); setInterval(() => {}, 1000)')
  const limits = limitProcess(pid, { wallMs: 60_000, memoryBytes: 250_000_000 })
  expect(await limits.exceeded).toBe('memory')
  limits.stop()
  expect(await residentBytes(pid)).toBeGreaterThan(250_000_000)
  expect(await residentBytes(2 ** 22)).toBe(0)
})
