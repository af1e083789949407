// The cost of verifying beyond compiling: CPU time of the whole verifier divided by CPU time of bare solc on the same inputs, alternating in
// one run. Then the time of a warm submission of a simple ERC-20. Aims: at most 1.10 times, and far below the 30 to 60 s that
// users of such services know.
import { bareCpuMs, ownVerifier, startBareSolc, workload } from './verify/workload.ts'

const ROUNDS = 5
const WARM_ROUNDS = 2
const AIM = 1.1

if (process.platform !== 'linux') {
  console.log('CPU time of other processes is read from /proc, which this system does not have: left out')
  process.exit(0)
}
const bare = await startBareSolc()
const own = ownVerifier(bare)
try {
  const ratios: number[] = []
  for (let round = 0; round < WARM_ROUNDS + ROUNDS; round++) {
    const spent = { ours: 0, bare: 0 }
    // The two alternate, so that a slow moment of the machine hits both alike.
    for (const job of workload) {
      spent.ours += await own.cpuMs(job)
      spent.bare += await bareCpuMs(bare, job)
    }
    if (round >= WARM_ROUNDS) ratios.push(spent.ours / spent.bare)
  }
  const ratio = median(ratios)
  const names = workload.map(({ name }) => name).join(', ')
  console.log(`verifying ${names}: ${ratio.toFixed(2)} times the CPU of bare solc (aim: at most ${AIM.toFixed(2)})`)

  const waits: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const before = performance.now()
    await own.verify(workload[0]!)
    waits.push(performance.now() - before)
  }
  console.log(`a warm submission of an ERC-20 to its verdict: ${Math.round(median(waits))} ms`)
} finally {
  await own.stop()
  bare.kill()
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!
}
