import { describe, expect, test } from 'vitest'
import {
  compareVersions,
  isAtLeast,
  longVersionOf,
  parseCompilerVersion,
  releaseOf,
  releasesAllowed,
} from './compiler-version.ts'

describe('compiler versions', () => {
  test.each([
    ['v0.8.30+commit.73712a01', '0.8.30', false],
    ['0.8.30', '0.8.30', false],
    ['vyper:0.3.10', '0.3.10', false],
    ['0.4.3+commit.bff19ea2', '0.4.3', false],
    ['v0.8.31-nightly.2025.6.1+commit.aaaaaaaa', '0.8.31', true],
    ['0.4.1rc3', '0.4.1', true],
  ])('the version %s is understood', (text, version, isPrerelease) => {
    expect(parseCompilerVersion(text)).toEqual({ version, isPrerelease })
  })

  test.each(['', 'latest', '0.8', 'v0.8.30; rm -rf', '^0.8.0'])('the text %j is no compiler version', (text) => {
    expect(parseCompilerVersion(text)).toBeUndefined()
  })

  test('the long version is read from the text by which a compiler names itself', () => {
    expect(longVersionOf('0.8.30+commit.73712a01.Emscripten.clang')).toBe('0.8.30+commit.73712a01')
    expect(longVersionOf('Version: 0.8.7+commit.e28d00a7.Linux.g++')).toBe('0.8.7+commit.e28d00a7')
    expect(longVersionOf('vyper 0.3.10')).toBe('0.3.10')
    expect(longVersionOf('no compiler')).toBeUndefined()
    expect(releaseOf('0.8.30+commit.73712a01')).toBe('0.8.30')
  })

  test('versions are ordered by their numbers and not by their text', () => {
    expect(['0.8.9', '0.10.0', '0.8.30', '0.8.2'].sort(compareVersions)).toEqual(['0.8.2', '0.8.9', '0.8.30', '0.10.0'])
    expect(isAtLeast('0.8.18', '0.8.18')).toBe(true)
    expect(isAtLeast('0.8.9', '0.8.18')).toBe(false)
  })
})

describe('pragmas', () => {
  const releases = ['0.5.17', '0.6.12', '0.7.6', '0.8.0', '0.8.19', '0.8.30']
  const allowed = (...pragmas: string[]) =>
    releasesAllowed({ sources: pragmas.map((range) => `pragma solidity ${range};`), releases }, 3)

  test.each([
    [['^0.8.0'], ['0.8.30', '0.8.19', '0.8.0']],
    [['>=0.6.0 <0.8.0'], ['0.7.6', '0.6.12']],
    [['0.8.19'], ['0.8.19']],
    [['=0.7.6'], ['0.7.6']],
    [['~0.8.1'], ['0.8.30', '0.8.19']],
    [['0.6.0 - 0.7.6'], ['0.7.6', '0.6.12']],
    [['^0.5.0 || ^0.7.0'], ['0.7.6', '0.5.17']],
    [
      ['>=0.6.0', '<=0.8.0'],
      ['0.8.0', '0.7.6', '0.6.12'],
    ],
    [['^0.9.0'], []],
  ])('the pragmas %j allow the releases %j', (pragmas, expected) => {
    expect(allowed(...pragmas)).toEqual(expected)
  })

  test('sources without a pragma allow no release', () => {
    expect(releasesAllowed({ sources: ['contract A {}'], releases }, 3)).toEqual([])
  })
})
