// Writes the hashes of Vyper's wheels, as the package index of pip publishes them, to src/verification/compilers/vyper-wheels.txt. Hashes that
// are in the file already must not change.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compareVersions } from '../src/verification/input/compiler-version.ts'

const file = fileURLToPath(new URL('../src/verification/compilers/vyper-wheels.txt', import.meta.url))

function pip(...args: string[]): string {
  const command = ['-I', '-m', 'pip', '--disable-pip-version-check', ...args]
  return execFileSync('python3', command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

function hashOf(version: string): string | undefined {
  const wanted = ['--dry-run', '--no-deps', '--ignore-installed', '--ignore-requires-python', '--only-binary', ':all:']
  try {
    const report = JSON.parse(pip('install', '--quiet', ...wanted, '--report', '-', `vyper==${version}`))
    return report.install[0].download_info.archive_info.hashes.sha256 as string
  } catch {
    console.log(`vyper ${version} has no wheel`)
    return undefined
  }
}

const known = new Map(
  (existsSync(file) ? readFileSync(file, 'utf8') : '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' ') as [string, string]),
)
const listed = pip('index', 'versions', 'vyper', '--ignore-requires-python')
const versions = /^Available versions: (.*)$/m.exec(listed)![1]!.split(', ').toSorted(compareVersions)
const lines = versions.flatMap((version) => {
  const hash = hashOf(version)
  const before = known.get(version)
  if (before !== undefined && hash !== before) throw new Error(`vyper ${version} was ${before} and is ${hash}`)
  return hash === undefined ? [] : [`${version} ${hash}\n`]
})
writeFileSync(file, lines.join(''))
console.log(`${lines.length} wheels`)
