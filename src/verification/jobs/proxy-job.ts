// One job of another kind: is this a proxy, and of what was expected?
import type { Hex } from '../../chain/bytes/hex.ts'
import type { ContractReader } from '../proxies/contract-reader.ts'
import { failed } from './job-result.ts'
import type { JobWork } from './runner.ts'

export type ProxyPayload = { readonly expectedImplementation: Hex | null }

export function createProxyWork({ proxyAt }: Pick<ContractReader, 'proxyAt'>): JobWork {
  return async ({ address, payload }, { stage }) => {
    const { expectedImplementation } = JSON.parse(payload) as ProxyPayload
    stage('looking for an implementation')
    const proxy = await proxyAt(address)
    if (!proxy) {
      const message = 'A corresponding implementation contract was unfortunately not detected for the proxy address.'
      return { outcome: failed('not_a_proxy', message) }
    }
    const { kind, implementation, implementations } = proxy
    if (expectedImplementation !== null && !implementations.includes(expectedImplementation)) {
      const message = `The proxy's (${address}) implementation contract is found at ${implementation}, not at ${expectedImplementation} as expected.`
      return { outcome: failed('other_implementation', message) }
    }
    return { outcome: { type: 'proxy', kind, implementation: expectedImplementation ?? implementation } }
  }
}
