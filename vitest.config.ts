import { defineConfig } from 'vitest/config'

// Two cores: two files at a time. Timeouts are generous because a noisy machine is not a failing test.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'src/**/*.test.ts', 'devnet/**/*.test.ts', 'web/**/*.test.{ts,tsx}'],
    testTimeout: 180_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2,
    pool: 'forks',
  },
})
