// One small contract a compiler version, each with what that version does otherwise: libraries, immutables, hashes of metadata.
import type { Hex } from '../../src/chain/bytes/hex.ts'
import type { Language } from '../../src/verification/input/submission.ts'
import type { MatchLevel } from '../../src/verification/matching/verdict.ts'
import { type Build, solidity } from './verifying.ts'

export type VersionVector = Build & {
  readonly version: string
  readonly language: Language
  readonly level: MatchLevel
  /** The same source with other words in a comment. */
  readonly reworded: Build['input']
  /** Another source of the same length of code. */
  readonly changed: Build['input']
}

const SEVEN: Hex = `0x${'7'.padStart(64, '0')}`

function modern(pragma: string, comment: string, factor: number): string {
  return `pragma solidity ${pragma};
// ${comment}
library Sums { function sum(uint256 a, uint256 b) public pure returns (uint256) { return a + b; } }
contract Counter {
  uint256 public count;
  constructor(uint256 start) { count = start; }
  function add(uint256 amount) external returns (uint256) { count = Sums.sum(count, amount * ${factor}); return count; }
}`
}
function older(pragma: string, comment: string, factor: number): string {
  return modern(pragma, comment, factor)
    .replace('constructor(uint256 start)', 'constructor(uint256 start) public')
    .replace('external returns', 'public returns')
}

const SUMS: Hex = '0x1111111111111111111111111111111111111111'

function solidityVector(
  version: string,
  source: (pragma: string, comment: string, factor: number) => string,
  settings: Build['input']['settings'] = {},
): VersionVector {
  const input = (comment: string, factor: number) =>
    solidity({ 'contracts/Counter.sol': source(version, comment, factor) }, settings)
  return {
    version,
    language: 'solidity',
    level: 'exact',
    name: 'Counter',
    constructorArguments: SEVEN,
    libraries: { Sums: SUMS, 'Counter.sol:Sums': SUMS },
    input: input('first', 3),
    reworded: input('second', 3),
    changed: input('first', 5),
  }
}

function vyperVector(version: string, level: MatchLevel): VersionVector {
  const input = (comment: string, factor: number): Build['input'] => ({
    language: 'Vyper',
    sources: {
      'Counter.vy': {
        content: `# ${comment}
START: immutable(uint256)
count: public(uint256)
${version.startsWith('0.3') ? '@external' : '@deploy'}
def __init__(start: uint256):
    START = start
@external
def add(amount: uint256) -> uint256:
    self.count += amount * ${factor} + START
    return self.count
`,
      },
    },
    settings: {},
  })
  return {
    version,
    language: 'vyper',
    level,
    name: 'Counter',
    constructorArguments: SEVEN,
    input: input('first', 3),
    reworded: input('second', 3),
    changed: input('first', 5),
  }
}

/** Those that a test run has the time to fetch. */
export const fewVersions: readonly VersionVector[] = [
  solidityVector('0.4.26', older),
  solidityVector('0.7.6', modern),
  solidityVector('0.8.37', modern, { viaIR: true }),
  vyperVector('0.3.10', 'partial'),
  vyperVector('0.4.3', 'exact'),
]

export const manyVersions: readonly VersionVector[] = [
  ...['0.4.26', '0.5.0', '0.5.17', '0.6.0', '0.6.12'].map((version) => solidityVector(version, older)),
  ...['0.7.0', '0.7.6', '0.8.0', '0.8.7', '0.8.13', '0.8.18', '0.8.20', '0.8.24', '0.8.30', '0.8.35', '0.8.37'].map(
    (version) => solidityVector(version, modern),
  ),
  ...['0.8.20', '0.8.30', '0.8.37'].map((version) => solidityVector(version, modern, { viaIR: true })),
  ...['0.3.10', '0.4.0'].map((version) => vyperVector(version, 'partial')),
  ...['0.4.1', '0.4.3'].map((version) => vyperVector(version, 'exact')),
]
