import type { Answer } from '../src/contract/endpoint.ts'
import type { Endpoints } from '../src/contract/endpoints.ts'

/** A full page of E5, as on a busy chain. */
export function blockPage(): Answer<Endpoints['blockList']> {
  return {
    data: [
      {
        page: '1',
        limit: '20',
        totalPage: '500',
        nextCursor: 'MjA',
        chainFullName: 'Firstlight Devnet',
        chainShortName: 'DEV',
        blockList: Array.from({ length: 20 }, (_, index) => ({
          hash: `0x${String(index).padStart(64, 'a')}`,
          height: String(38_309_023 - index),
          validator: '0x4200000000000000000000000000000000000011',
          blockTime: String(1_701_089_627_000 - index * 1000),
          txnCount: '205',
          blockSize: '52555',
          mineReward: '0',
          totalFee: '0.030109252',
          feeSymbol: 'ETH',
          avgFee: '0.000146874400000000',
          ommerBlock: '0',
          gasUsed: '10854340',
          gasLimit: '60000000',
          gasAvgPrice: '0.000000027739366926',
          state: 'pending',
          burnt: '0.010109252',
        })),
      },
    ],
  }
}
