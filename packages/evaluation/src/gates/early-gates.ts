import { createGateWatch } from "./gate-watch.ts"
import { describeAllAsked, describeEarlyStop, gateStates, wholeState } from "./gate-states.ts"
import { readInOrder } from "./read-in-order.ts"

/** The gates that can end a job: what several processes need to decide those of one task together, and what became of all gates at the end. */
export const earlyGates = Object.freeze({
  createWatch: createGateWatch,
  readInOrder,
  states: gateStates,
  wholeState,
  describeEarlyStop,
  describeAllAsked,
})
