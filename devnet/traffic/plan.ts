// What happens next: first the founding, then an endless day in the life of a small town. Pure: the same throws of the
// dice and the same world give the same actions.

import type { Action, Transaction } from './action.ts'
import * as bridge from './actions/bridge.ts'
import * as collectibles from './actions/collectibles.ts'
import * as crafts from './actions/contracts.ts'
import * as delegation from './actions/delegation.ts'
import * as exchange from './actions/exchange.ts'
import * as mishaps from './actions/failures.ts'
import * as writing from './actions/messages.ts'
import * as money from './actions/payments.ts'
import { foundingSteps } from './deployments.ts'
import { type Scene, transact } from './transact.ts'

/** What is left of the founding, in order. Nothing else makes sense before all of it is in a block. */
export function planFounding(scene: Scene): Transaction[] {
  const { founder } = scene.world
  return foundingSteps(scene.world)
    .slice(founder.nonce)
    .map((wish) => transact(scene, founder, wish))
}

export function planNext(scene: Scene): Action {
  scene.world.clock++
  let roll = scene.dice.below(TOTAL_WEIGHT)
  for (const [weight, happen] of happenings) {
    if (roll < weight) return happen(scene)
    roll -= weight
  }
  throw new Error('The weights do not add up')
}

/** How often things happen, in parts of the whole. */
const happenings: readonly (readonly [weight: number, happen: (scene: Scene) => Action])[] = [
  [200, money.sendEther],
  [12, money.sendFortune],
  [150, money.sendDollars],
  [80, money.sendDawn],
  [15, money.approveSomebody],
  [40, money.wrapEther],
  [8, money.dropEther],
  [6, money.dropTokens],
  [6, money.issueDollars],
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
  [8, crafts.makeJar],
  [15, crafts.useJar],
  [5, crafts.buryCapsule],
  [3, crafts.openCapsule],
  [3, crafts.deployOwn],
  [20, writing.signGuestbook],
  [1, writing.upgradeGuestbook],
  [15, writing.noteSunrise],
  [25, writing.useVault],
  [4, crafts.flutterMayfly],
  [3, crafts.hatchOrRelease],
  [15, delegation.executeBatch],
  [1, delegation.endDelegation],
  [30, mishaps.haveMishap],
  [3, mishaps.recoverFromMishap],
]

const TOTAL_WEIGHT = happenings.reduce((sum, [weight]) => sum + weight, 0)
