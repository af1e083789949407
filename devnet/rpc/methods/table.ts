// Every method of the node by its name.
import type { ExecutingMethodTable, MethodTable } from '../method.ts'
import { accessListMethods } from './access-list.ts'
import { accountMethods } from './accounts.ts'
import { blockMethods } from './blocks.ts'
import { callMethods } from './calls.ts'
import { configMethods } from './config.ts'
import { debugMethods } from './debug.ts'
import { devnetMethods } from './devnet.ts'
import { feeMethods } from './fees.ts'
import { filterMethods } from './filters.ts'
import { logMethods } from './logs.ts'
import { nodeMethods } from './node.ts'
import { rawMethods } from './raw.ts'
import { sendingMethods } from './sending.ts'
import { simulateMethods } from './simulate.ts'
import { proofMethods, stateMethods } from './state.ts'
import { subscriptionMethods } from './subscriptions.ts'
import { traceMethods } from './trace.ts'
import { transactionMethods } from './transactions.ts'
import { txpoolMethods } from './txpool.ts'

export const methods: MethodTable = {
  ...nodeMethods,
  ...configMethods,
  ...feeMethods,
  ...stateMethods,
  ...blockMethods,
  ...transactionMethods,
  ...logMethods,
  ...sendingMethods,
  ...accountMethods,
  ...filterMethods,
  ...subscriptionMethods,
  ...rawMethods,
  ...txpoolMethods,
  ...devnetMethods,
}

export const executingMethods: ExecutingMethodTable = {
  ...callMethods,
  ...accessListMethods,
  ...simulateMethods,
  ...proofMethods,
  ...debugMethods,
  ...traceMethods,
}
