import { describe, expect, test } from 'vitest'
import { artifactOf } from '../../../devnet/contracts/artifact.ts'
import { bytesToHex, concatBytes, hexToBytes } from '../../chain/bytes/hex.ts'
import { metadataWithin, trailingMetadata, vyperFooter } from './code-metadata.ts'
import { ipfsHash } from './source-name.ts'
import { swarmSourceOf } from './verdict-of-match.ts'

describe('metadata in code', () => {
  const code = hexToBytes(artifactOf('AuroraDollar').deployedBytecode)

  test('the metadata at the end of code names the compiler and has the IPFS hash of the metadata JSON', () => {
    const found = trailingMetadata(code)!
    expect(found).toMatchObject({ end: code.length, compiler: '0.8.30' })
    expect(bytesToHex(found.hash!.bytes)).toBe(bytesToHex(ipfsHash(Buffer.from(artifactOf('AuroraDollar').metadata!))!))
  })

  test('metadata is found in the middle of code, once for each contract', () => {
    const twice = concatBytes(code, Uint8Array.of(0xfe), code, Uint8Array.of(0x00))
    expect(metadataWithin(twice).map(({ end }) => end)).toEqual([code.length, 2 * code.length + 1])
  })

  test('bytes with a wrong length, an unknown key or a hash of another size are no metadata', () => {
    const map = (hex: string) => hexToBytes(`0x${hex}`)
    const good = `a165627a7a72305820${'11'.repeat(32)}0029`
    expect(trailingMetadata(map(good))?.hash?.type).toBe('bzzr0')
    expect(trailingMetadata(map(good.replace(/29$/, '2a')))).toBeUndefined()
    expect(trailingMetadata(map(`a165627a7a72395820${'11'.repeat(32)}0029`))).toBeUndefined()
    expect(trailingMetadata(map(`a165627a7a7230581f${'11'.repeat(31)}0028`))).toBeUndefined()
    expect(trailingMetadata(Uint8Array.of(0, 0))).toBeUndefined()
    expect(trailingMetadata(new Uint8Array())).toBeUndefined()
  })

  test('the hash of metadata is written as an address of IPFS or Swarm', () => {
    // The well-known hash of the empty file.
    const empty = ipfsHash(new Uint8Array())!
    const ipfs = { start: 0, end: 0, compiler: undefined, hash: { type: 'ipfs', bytes: empty } } as const
    expect(swarmSourceOf(ipfs)).toBe('ipfs://QmbFMke1KXqnYyBBWxB74N4c5SBnJMVAiMNRcGu6x1AwQH')
    const bzzr = { ...ipfs, hash: { type: 'bzzr1', bytes: new Uint8Array(32).fill(1) } } as const
    expect(swarmSourceOf(bzzr)).toBe(`bzzr://${'01'.repeat(32)}`)
    expect(swarmSourceOf(undefined)).toBe('')
  })
})

test('the footer of Vyper’s creation code has the version, the size of the immutables and the hash over the sources', () => {
  const creation = hexToBytes(artifactOf('SavingsVault').bytecode)
  const footer = vyperFooter(creation)!
  expect(footer.version).toBe('0.4.3')
  expect(bytesToHex(creation.subarray(footer.integrity!.start - 3, footer.integrity!.start))).toBe('0x855820')
  expect(footer.immutableBytes % 32).toBe(0)
  expect(vyperFooter(hexToBytes(artifactOf('AuroraDollar').bytecode))).toBeUndefined()
})
