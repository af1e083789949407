import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, describe, expect, test } from 'vitest'
import { isTimeOver, limitProcess, residentBytes } from './process-limits.ts'

const children: ChildProcess[] = []
afterAll(() => {
  // Each in a group of its own, together with what it started.
  for (const { pid } of children) process.kill(-pid!, 'SIGKILL')
})

/** Another process between us and it, as a sandbox is. */
async function started(script: string): Promise<number> {
  const command = `"${process.execPath}" -e "console.log(1); ${script}"; true`
  const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'], detached: true })
  children.push(child)
  await once(child.stdout!, 'data')
  return child.pid!
}

describe('the time of a process', () => {
  test.each([
    ['before its time', { wallMs: 900, cpuMs: 5_000 }, false],
    ['when it had a processor all the while', { wallMs: 1_100, cpuMs: 1_050 }, true],
    ['when it had to wait for one', { wallMs: 2_900, cpuMs: 950 }, false],
    ['when it had to wait far too long', { wallMs: 3_100, cpuMs: 0 }, true],
  ])('is over or not %s', (_when, spent, isOver) => {
    expect(isTimeOver(spent, 1_000)).toBe(isOver)
  })

  test('ends in the end, whether it works or waits', async () => {
    const [busy, idle] = [await started('for (;;);'), await started('setInterval(() => {}, 1000)')]
    const watches = [busy, idle].map((pid) => limitProcess(pid, { wallMs: 300, memoryBytes: 2 ** 40 }))
    expect(await Promise.all(watches.map(({ exceeded }) => exceeded))).toEqual(['time', 'time'])
    for (const { stop } of watches) stop()
  })
})

test('what a process holds is seen through another one in front of it', async () => {
  const pid = await started('globalThis.held = Buffer.alloc(300000000, 1); setInterval(() => {}, 1000)')
  const watch = limitProcess(pid, { wallMs: 60_000, memoryBytes: 250_000_000 })
  expect(await watch.exceeded).toBe('memory')
  watch.stop()
  expect(await residentBytes(pid)).toBeGreaterThan(250_000_000)
  expect(await residentBytes(2 ** 22)).toBe(0)
})
