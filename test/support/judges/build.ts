// Programs of other people that judge ours, built from the modules in `judges/` into a folder that git ignores. The first build
// downloads and compiles for minutes; after that the compilers' own caches answer in seconds.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Missing } from '../../../scripts/prerequisites.ts'
import { capture, run } from '../../../scripts/run.ts'

const judges = fileURLToPath(new URL('../../../judges/', import.meta.url))

/** Path of the program. */
export async function buildGeth(module: 'op-geth' | 'geth'): Promise<string> {
  const program = outputPath(module)
  const args = ['build', '-o', program, 'github.com/ethereum/go-ethereum/cmd/geth']
  await build({ tool: 'go', version: 'Go 1.24', module, args })
  return program
}

/** Path of the program. */
export async function buildRevmJudge(): Promise<string> {
  const folder = outputPath('revm')
  const args = ['build', '--release', '--target-dir', folder]
  await build({ tool: 'cargo', version: 'Rust 1.94', module: 'revm', args })
  return join(folder, 'release', 'firstlight-judge-revm')
}

function outputPath(name: string): string {
  const folder = join(judges, 'build')
  mkdirSync(folder, { recursive: true })
  return join(folder, name)
}

type Build = {
  readonly tool: 'go' | 'cargo'
  readonly version: string
  readonly module: string
  readonly args: readonly string[]
}

async function build({ tool, version, module, args }: Build): Promise<void> {
  const isThere = await capture(tool, [tool === 'go' ? 'version' : '--version']).then(
    ({ code }) => code === 0,
    () => false,
  )
  if (!isThere) throw new Missing(`${version} or newer is needed to build judges/${module}: there is no \`${tool}\``)
  console.log(`building judges/${module}: the first time this takes minutes ...`)
  const code = await run(tool, args, { cwd: join(judges, module) })
  if (code !== 0) throw new Missing(`judges/${module} could not be built: \`${tool} build\` says why above`)
}
