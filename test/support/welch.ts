/** Welch's t of two samples: how many standard errors their means are apart. */
export function welchT(a: readonly number[], b: readonly number[]): number {
  const [first, second] = [momentsOf(a), momentsOf(b)]
  return (first.mean - second.mean) / Math.sqrt(first.variance / a.length + second.variance / b.length)
}

/** Without the slowest tenth, which measures the machine and not the code. */
export function withoutSlowest(sample: readonly number[]): number[] {
  return sample.toSorted((a, b) => a - b).slice(0, Math.ceil(sample.length * 0.9))
}

function momentsOf(sample: readonly number[]): { mean: number; variance: number } {
  const mean = sample.reduce((sum, each) => sum + each, 0) / sample.length
  const squares = sample.reduce((sum, each) => sum + (each - mean) ** 2, 0)
  return { mean, variance: squares / (sample.length - 1) }
}
