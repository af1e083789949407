// Keys for RPC and feed, if the operator requires them (docs/spec-gaps.md#42): in the path or in a header, because wallets can send nothing
// else.
import type { FastifyRequest } from 'fastify'
import { Failure } from '../../contract/failure.ts'
import { addressGroup, type OnKeyUse } from '../admission/admission.ts'

export function createKeyCheck(isKey: (key: string) => Promise<boolean>, onKeyUse?: OnKeyUse) {
  return async ({ params, headers, routeOptions }: FastifyRequest): Promise<void> => {
    const { key = headers['x-api-key'] } = params as { key?: string }
    if (typeof key !== 'string') {
      throw new Failure('keyMissing', 'A key is required, in the path (/flashblocks/<key>) or in the header x-api-key.')
    }
    if (!(await isKey(key))) throw new Failure('keyUnknown', 'The key is unknown.')
    onKeyUse?.(key, routeOptions.config.label ?? 'other')
  }
}

/** Who pays for the work of a request: the key where one is given and required, otherwise the address. */
export function clientOf({ ip, params, headers }: FastifyRequest, keysAreRequired: boolean): string {
  const { key = headers['x-api-key'] } = params as { key?: string }
  return keysAreRequired && typeof key === 'string' ? `key ${key}` : addressGroup(ip)
}

export type KeyCheck = ReturnType<typeof createKeyCheck>
