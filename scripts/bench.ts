// `npm run bench` runs every benchmark, `npm run bench -- http` those with http in their name. Each prints its ratios.
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { run } from './run.ts'

const folder = fileURLToPath(new URL('../bench/', import.meta.url))
const [filter = ''] = process.argv.slice(2)
for (const file of readdirSync(folder).filter((name) => name.endsWith('.bench.ts') && name.includes(filter))) {
  console.log(`# ${file}`)
  if ((await run('node', [folder + file])) !== 0) process.exitCode = 1
}
