// What the compared engines have in common. Calls are read-only; CPU time is measured, which a noisy machine disturbs least.

export type Call = { readonly to: bigint; readonly data: Uint8Array }

export type Engine = {
  readonly name: string
  output(call: Call): Promise<Uint8Array>
  /** Makes the same call `count` times. */
  cpuMs(call: Call, count: number): Promise<number>
  stop(): void
}

export async function ownCpuMs(work: () => void | Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
