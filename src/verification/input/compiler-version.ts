// Compiler versions: how people and compilers write them, their order, and which releases the pragmas of a source allow. Pure.
import type { Language } from './submission.ts'

/** One compiler as messages name it and as rules about versions see it. */
export type CompilerId = {
  readonly language: Language
  /** `0.8.30` */
  readonly version: string
  /** `0.8.30+commit.73712a01` */
  readonly longVersion: string
}

export type RequestedVersion = {
  readonly version: string
  /** A nightly build or a release candidate; no package index has these. */
  readonly isPrerelease: boolean
}

const VERSION =
  /^(?:v|vyper[:@ ]?v?|solc[:@ ]?v?)?(\d{1,3}\.\d{1,3}\.\d{1,3})(?:[-.]?(?:nightly|ci|pre)[-.A-Za-z0-9]*|(?:b|rc|beta)\d+)?(?:\+commit\.[0-9a-f]{6,40})?(?:[.+][A-Za-z0-9.+_-]*)?$/i

const PRERELEASE = /nightly|-ci|\d(b|rc|beta)\d/i

/**
 * Reads `v0.8.30+commit.73712a01`, `0.8.30` or `vyper:0.3.10`; undefined for anything else. The commit is ignored: builds of one
 * release name different commits.
 */
export function parseCompilerVersion(text: string): RequestedVersion | undefined {
  const version = VERSION.exec(text.trim())?.[1]
  return version === undefined ? undefined : { version, isPrerelease: PRERELEASE.test(text) }
}

/** `0.8.30+commit.73712a01`, out of the text by which a compiler names itself. */
export function longVersionOf(build: string): string | undefined {
  const found = /(\d+\.\d+\.\d+(?:[-.]?nightly[.0-9]*|(?:b|rc)\d+)?)(?:\+commit\.([0-9a-f]+))?/i.exec(build)
  return found?.[2] ? `${found[1]}+commit.${found[2]}` : found?.[1]
}

/** `0.8.30` of `0.8.30+commit.73712a01`. */
export function releaseOf(longVersion: string): string {
  return longVersion.replace(/[^0-9.].*$/, '')
}

export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number)) as [number[], number[]]
  for (let part = 0; part < 3; part++) {
    const difference = (left[part] ?? 0) - (right[part] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

export function isAtLeast(version: string, least: string): boolean {
  return compareVersions(version, least) >= 0
}

/** The releases that every `pragma solidity` of the sources allows, newest first, at most `count`. */
export function releasesAllowed(
  { sources, releases }: { sources: readonly string[]; releases: readonly string[] },
  count: number,
): readonly string[] {
  const ranges = sources.flatMap((source) =>
    [...source.matchAll(/^\s*pragma\s+solidity\s+([^;]+);/gm)].map(([, range]) => range!),
  )
  if (ranges.length === 0) return []
  return releases
    .filter((release) => ranges.every((range) => isInRange(release, range)))
    .toSorted((a, b) => compareVersions(b, a))
    .slice(0, count)
}

function isInRange(release: string, range: string): boolean {
  return range.split('||').some((alternative) => comparatorsOf(alternative).every((holds) => holds(release)))
}

type Holds = (release: string) => boolean

function comparatorsOf(text: string): readonly Holds[] {
  const hyphen = /^\s*([\d.]+)\s+-\s+([\d.]+)\s*$/.exec(text)
  if (hyphen) return [atLeast(hyphen[1]!), (release) => compareVersions(release, hyphen[2]!) <= 0]
  return [...text.matchAll(/(\^|~|>=|<=|>|<|=)?\s*v?(\d+(?:\.(?:\d+|[xX*])){0,2})/g)].map(
    ([, operator = '=', version]) => comparator(operator, version!),
  )
}

function atLeast(version: string): Holds {
  return (release) => compareVersions(release, version) >= 0
}

function comparator(operator: string, text: string): Holds {
  const parts = text
    .split('.')
    .filter((part) => /^\d+$/.test(part))
    .map(Number)
  const [major = 0, minor = 0, patch = 0] = parts
  const version = [major, minor, patch].join('.')
  const below =
    (end: string): Holds =>
    (release) =>
      atLeast(version)(release) && compareVersions(release, end) < 0
  switch (operator) {
    case '^':
      if (major > 0) return below(`${major + 1}.0.0`)
      return minor > 0 || parts.length < 3 ? below(`0.${minor + 1}.0`) : below(`0.0.${patch + 1}`)
    case '~':
      return below(`${major}.${minor + 1}.0`)
    case '>=':
      return atLeast(version)
    case '<=':
      return (release) => compareVersions(release, version) <= 0
    case '>':
      return (release) => compareVersions(release, version) > 0
    case '<':
      return (release) => compareVersions(release, version) < 0
    default:
      if (parts.length === 3) return (release) => compareVersions(release, version) === 0
      return parts.length === 2 ? below(`${major}.${minor + 1}.0`) : below(`${major + 1}.0.0`)
  }
}
