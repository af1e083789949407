// A compiler of one version, and how people write versions.
import type { Program } from '../compile/program.ts'
import type { Language } from '../input/submission.ts'

export type Compiler = {
  readonly language: Language
  /** `0.8.30` */
  readonly version: string
  /** `0.8.30+commit.73712a01` */
  readonly longVersion: string
  /** All that it says of itself: two builds of one version may make different code. */
  readonly build: string
  readonly program: Program
  readonly origin: 'COMPILERS_DIR' | 'package' | 'fetched'
}

export type WantedVersion = {
  readonly version: string
  /** A hint only: builds of one release name different commits. */
  readonly commit: string | null
  /** Nightly builds and release candidates, which no package index has. */
  readonly isPrerelease: boolean
}

const VERSION =
  /^(?:v|vyper[:@ ]?v?|solc[:@ ]?v?)?(\d{1,3}\.\d{1,3}\.\d{1,3})(?:[-.]?(?:nightly|ci|pre)[-.A-Za-z0-9]*|(?:b|rc|beta)\d+)?(?:\+commit\.([0-9a-f]{6,40}))?(?:[.+][A-Za-z0-9.+_-]*)?$/i

const PRERELEASE = /nightly|-ci|\d(b|rc|beta)\d/i

/** `v0.8.30+commit.73712a01`, `0.8.30`, `vyper:0.3.10`; null for anything else. */
export function wantedVersion(text: string): WantedVersion | null {
  const [, version, commit] = VERSION.exec(text.trim()) ?? []
  if (version === undefined) return null
  return { version, commit: commit?.toLowerCase() ?? null, isPrerelease: PRERELEASE.test(text) }
}

/** What a compiler says of itself, as `0.8.30+commit.73712a01`. */
export function longVersionOf(build: string): string | null {
  const found = /(\d+\.\d+\.\d+(?:[-.]?nightly[.0-9]*|(?:b|rc)\d+)?)(?:\+commit\.([0-9a-f]+))?/i.exec(build)
  if (!found) return null
  return found[2] ? `${found[1]}+commit.${found[2]}` : found[1]!
}

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
