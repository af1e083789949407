// Chooses the next action: first the deployment steps, then random actions of the simulated users. Pure: the same random numbers
// and the same model give the same actions.

import * as bridge from './actions/bridge.ts'
import * as collectibles from './actions/collectibles.ts'
import * as contracts from './actions/contracts.ts'
import * as delegation from './actions/delegation.ts'
import * as exchange from './actions/exchange.ts'
import * as failures from './actions/failures.ts'
import * as messages from './actions/messages.ts'
import * as payments from './actions/payments.ts'
import * as platform from './actions/platform.ts'
import { deploymentSteps } from './deployments.ts'
import type { Action, Transaction } from './model/transact.ts'
import { type Simulation, transact } from './model/transact.ts'

/** The deployment steps that are left, in order. All of them must be in a block before anything else is planned. */
export function planDeployments(simulation: Simulation): Transaction[] {
  const { deployer } = simulation.model
  return deploymentSteps(simulation.model)
    .slice(deployer.nonce)
    .map((request) => transact(simulation, deployer, request))
}

export function planNextAction(simulation: Simulation): Action {
  simulation.model.clock++
  const { actions, total } = simulation.model.ownRules ? withOwnRules : usual
  let roll = simulation.random.below(total)
  for (const [weight, happen] of actions) {
    if (roll < weight) return happen(simulation)
    roll -= weight
  }
  throw new Error('The weights do not add up')
}

type WeightedAction = readonly [weight: number, happen: (simulation: Simulation) => Action]

/** Relative frequency of each action. */
const weightedActions: readonly WeightedAction[] = [
  [200, payments.sendEther],
  [12, payments.sendFortune],
  [150, payments.sendDollars],
  [80, payments.sendDawn],
  [15, payments.approveSomebody],
  [40, payments.wrapEther],
  [8, payments.dropEther],
  [6, payments.dropTokens],
  [6, payments.issueDollars],
  [15, bridge.depositFromL1],
  [5, bridge.withdrawToL1],
  [90, exchange.swapTokens],
  [40, exchange.buyTokens],
  [40, exchange.sellTokens],
  [6, exchange.addLiquidity],
  [2, exchange.removeLiquidity],
  [35, collectibles.claimStar],
  [25, collectibles.giveStar],
  [25, collectibles.foldLanterns],
  [35, collectibles.giveLanterns],
  [8, contracts.makeJar],
  [15, contracts.useJar],
  [5, contracts.buryCapsule],
  [3, contracts.openCapsule],
  [3, contracts.deployOwn],
  [20, messages.signGuestbook],
  [1, messages.upgradeGuestbook],
  [15, messages.noteSunrise],
  [25, messages.useVault],
  [4, contracts.flutterMayfly],
  [3, contracts.hatchOrRelease],
  [15, delegation.executeBatch],
  [1, delegation.endDelegation],
  [30, failures.haveMishap],
  [3, failures.recoverFromMishap],
]

const usual = weighted(weightedActions)
const withOwnRules = weighted([...weightedActions, [200, platform.sendBeryl], [60, platform.sendBerylWithMemo]])

function weighted(actions: readonly WeightedAction[]) {
  return { actions, total: actions.reduce((sum, [weight]) => sum + weight, 0) }
}
