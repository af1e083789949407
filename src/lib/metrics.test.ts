import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

test('a gauge by label shows only the values that there are now', async () => {
  const metrics = createMetrics()
  let figures: Record<string, number> = { a: 1, b: 2 }
  metrics.gaugedBy('test_gauge', 'A test', 'name', () => figures)
  metrics.countedBy('test_total', 'A test', 'name', () => figures)
  expect(await metrics.text()).toContain('test_gauge{name="b"} 2')
  figures = { a: 3 }
  const text = await metrics.text()
  expect(text).toContain('test_gauge{name="a"} 3')
  expect(text).toContain('test_total{name="a"} 3')
  expect(text).not.toContain('name="b"')
})
