import { createGateWatch } from "./gate-watch.ts"
import { readInOrder } from "./read-in-order.ts"

/** What several processes need to decide the gates of one task together: its rows in another order, and the watch of its gates. */
export const earlyGates = Object.freeze({ createWatch: createGateWatch, readInOrder })
