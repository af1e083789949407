// A compiler in COMPILERS_DIR, from its file to a verdict. No package index has a native solc, so the test makes a script with the
// command line of a native solc around the bundled one.
import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createVerifying,
  failureOf,
  matchOf,
  SOLC,
  solidity,
  submissionOf,
  type Verifying,
} from '../../../test/support/verifying.ts'

const solc = createRequire(import.meta.url).resolve('solc')
// A sandbox shows a compiler nothing but its own folder.
const packages = dirname(dirname(solc))
const needed = [
  'solc',
  'js-sha3',
  'memorystream',
  'follow-redirects',
  'semver',
  'command-exists',
  'commander',
  'tmp',
  'os-tmpdir',
]
const compilersDir = mkdtempSync(join(tmpdir(), 'firstlight-operator-'))
let verifying: Verifying

beforeAll(() => {
  for (const name of needed.filter((each) => existsSync(join(packages, each)))) {
    cpSync(join(packages, name), join(compilersDir, 'node_modules', name), { recursive: true })
  }
  const native = join(compilersDir, `solc-linux-amd64-v${SOLC}+commit.73712a01`)
  writeFileSync(
    native,
    `#!${process.execPath}
const solc = require('solc')
const [option] = process.argv.slice(2)
if (option === '--version') {
  console.log('solc, the solidity compiler commandline interface')
  console.log('Version: ' + solc.version().replace('.Emscripten.clang', '.Linux.g++'))
} else if (option === '--standard-json') {
  process.stdout.write(solc.compile(require('node:fs').readFileSync(0, 'utf8')))
} else {
  process.exit(1)
}
`,
  )
  chmodSync(native, 0o755)
  verifying = createVerifying({ compilersDir })
})
afterAll(async () => {
  await verifying?.stop()
  rmSync(compilersDir, { recursive: true, force: true })
})

test('a native compiler in COMPILERS_DIR verifies a contract and reports the errors of a source', {
  timeout: 120_000,
}, async () => {
  const found = await verifying.compilers.compiler('solidity', SOLC, AbortSignal.timeout(60_000))
  expect(found).toMatchObject({
    compiler: { origin: 'COMPILERS_DIR', program: { type: 'command' }, build: expect.stringContaining('Linux.g++') },
  })
  const input = solidity({ 'Answer.sol': 'contract Answer { uint256 public constant answer = 42; }' })
  const chain = await verifying.deployed({ input, name: 'Answer' })
  expect(matchOf(await verifying.verify(submissionOf(input, 'Answer'), chain))).toMatchObject({
    match: 'exact',
    compiler: `${SOLC}+commit.73712a01`,
  })
  const broken = solidity({ 'Answer.sol': 'contract Answer { uint256 public constant answer = }' })
  expect(failureOf(await verifying.verify(submissionOf(broken, 'Answer'), chain))).toMatchObject({
    code: 'compiler_error',
    message: expect.stringContaining('ParserError'),
  })
})
