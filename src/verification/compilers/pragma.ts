// Which releases the `pragma solidity` lines of the sources allow.
import { compareVersions } from './compiler.ts'

/** Newest first, at most `count`. */
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
