// The lock file has a hash of every package that an installation may download, so that nobody can put another in its place.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Entry = { readonly integrity?: string; readonly link?: boolean; readonly optional?: boolean }

const { packages } = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Readonly<Record<string, Entry>>
}

/** Builds for other platforms, all of them optional and for development only, that the registry of this project does not carry. */
const WITHOUT_HASH: Readonly<Record<string, string>> = {
  '@biomejs/cli':
    'android-arm64 android-x64 darwin-arm64 darwin-x64 linux-arm64-musl linux-x64-musl win32-arm64 win32-x64',
  '@foundry-rs/anvil': 'darwin-amd64 darwin-arm64 linux-arm64 win32-amd64',
  '@foundry-rs/cast': 'darwin-amd64 darwin-arm64 linux-arm64 win32-amd64',
  '@foundry-rs/forge': 'darwin-amd64 linux-arm64',
  '@nomicfoundation/edr': 'darwin-arm64 darwin-x64 linux-arm64-gnu linux-arm64-musl win32-x64-msvc',
  '@oxc-parser/binding':
    'android-arm-eabi android-arm64 darwin-arm64 darwin-x64 freebsd-x64 linux-arm-gnueabihf linux-arm-musleabihf linux-arm64-musl linux-ppc64-gnu linux-riscv64-gnu linux-riscv64-musl linux-s390x-gnu linux-x64-musl openharmony-arm64 win32-arm64-msvc win32-ia32-msvc win32-x64-msvc',
  '@rolldown/binding':
    'android-arm-eabi android-arm64 darwin-arm64 darwin-x64 freebsd-x64 linux-arm-gnueabihf linux-arm64-gnu linux-arm64-musl linux-ppc64-gnu linux-s390x-gnu linux-x64-musl openharmony-arm64 wasm32-wasi win32-arm64-msvc win32-x64-msvc',
}

const exceptions = new Set(
  Object.entries(WITHOUT_HASH).flatMap(([family, builds]) =>
    builds.split(' ').map((build) => `node_modules/${family}-${build}`),
  ),
)

test('every package of the lock file has a hash, except optional builds for other platforms that are listed here', () => {
  const without = Object.entries(packages).filter(([path, { integrity, link }]) => path !== '' && !link && !integrity)
  expect(without.map(([path]) => path).filter((path) => !exceptions.has(path))).toEqual([])
  expect(without.filter(([, { optional }]) => !optional)).toEqual([])
})

test('the exceptions of the lock file are all needed', () => {
  expect([...exceptions].filter((path) => packages[path] === undefined || packages[path].integrity)).toEqual([])
})
