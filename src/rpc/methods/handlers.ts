import type { z } from 'zod'
import type { RpcMethods } from '../../contract/rpc.ts'
import type { FurtherRpcMethods } from '../../contract/rpc-further.ts'
import type { Scope } from '../state/scope.ts'

export type OwnMethods = RpcMethods & FurtherRpcMethods

/**
 * One function for each method that this service answers itself; a missing one does not compile. A method that waits is an async function,
 * one that never waits returns its value. `raw` are the parameters as the client sent them, for the node.
 */
export type RpcHandlers = {
  readonly [N in keyof OwnMethods]: (
    scope: Scope,
    params: z.output<OwnMethods[N]['params']>,
    raw: readonly unknown[],
  ) => unknown
}
