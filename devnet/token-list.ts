// The devnet's tokens as a token list, with the initial prices of the liquidity pools.
import type { Hex } from '../src/chain/bytes/hex.ts'
import { simulatedUsers } from './genesis/accounts.ts'
import { contractAddresses } from './traffic/model/addresses.ts'

export function devnetTokenList(chainId: number) {
  const { WrappedEther, AuroraDollar, DawnToken } = contractAddresses(simulatedUsers[0]!.address)
  const token = (
    address: Hex,
    { colour, ...shown }: { symbol: string; name: string; decimals: number; priceUsd: number; colour: string },
  ) => {
    const { priceUsd, ...rest } = shown
    return { chainId, address, ...rest, logoURI: discOf(colour), extensions: { priceUsd } }
  }
  return {
    name: 'Firstlight Devnet',
    timestamp: '2026-01-01T00:00:00Z',
    version: { major: 1, minor: 0, patch: 0 },
    tokens: [
      token(WrappedEther, { symbol: 'WETH', name: 'Wrapped Ether', decimals: 18, priceUsd: 2500, colour: 'slateblue' }),
      token(AuroraDollar, { symbol: 'AUSD', name: 'Aurora Dollar', decimals: 6, priceUsd: 1, colour: 'seagreen' }),
      token(DawnToken, { symbol: 'DAWN', name: 'Dawn', decimals: 18, priceUsd: 1.25, colour: 'orange' }),
    ],
  }
}

function discOf(colour: string): string {
  return `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><circle cx="1" cy="1" r="1" fill="${colour}"/></svg>`)}`
}
