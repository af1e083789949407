// Traces of a block by two nodes, with every tracer of geth and its options.
import { rpc } from '../devnet.ts'
import { quantity } from '../node-facts.ts'
import { differingFields } from './differing-fields.ts'

const CONFIGS = [
  { tracer: 'callTracer', tracerConfig: { withLog: true } },
  { tracer: 'flatCallTracer', tracerConfig: { includePrecompiles: true } },
  { tracer: 'flatCallTracer', tracerConfig: { convertParityErrors: true } },
  { tracer: 'prestateTracer' },
  { tracer: 'prestateTracer', tracerConfig: { includeEmpty: true, disableCode: true, disableStorage: true } },
  { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
]

type Traced = { readonly txHash: string; readonly result: unknown }

/** What differs, in words. */
export async function differingTraces(ours: string, theirs: string, height: number): Promise<string[]> {
  const differences: string[] = []
  for (const config of CONFIGS) {
    const [own, other] = await Promise.all(
      [ours, theirs].map((url) => rpc(url, 'debug_traceBlockByNumber', quantity(height), config) as Promise<Traced[]>),
    )
    for (const [index, { txHash, result }] of other!.entries()) {
      if (isUnbegun(result)) continue
      const fields = differingFields(own![index]?.result, withPlainErrors(result))
      differences.push(...fields.map((field) => `${JSON.stringify(config)} ${txHash}: ${field}`))
    }
  }
  return differences
}

/** geth says it twice where a cold account is too expensive for a call. */
function withPlainErrors(result: unknown): unknown {
  return JSON.parse(JSON.stringify(result).replaceAll('"out of gas: out of gas"', '"out of gas"'))
}

/** op-geth has a frame of its own for a deposit that fails before it begins, and shows nothing of it elsewhere. */
function isUnbegun(result: unknown): boolean {
  return JSON.stringify(result).includes('failed deposit transaction')
}
