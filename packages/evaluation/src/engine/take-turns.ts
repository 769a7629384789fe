import { setImmediate as nextTurn } from "node:timers/promises"
import type { Journal } from "./journal.ts"

/** Lets others have their turn, and the journal catch up, while rows are scored in a plain loop. */
export interface Turns {
  /** To be asked after each row. */
  isDue(): boolean
  take(): Promise<void>
}

/** About ten milliseconds of the cheapest rows. */
const ROWS_PER_TURN = 1000
/** To flush waits for the disk. */
const TURNS_PER_FLUSH = 16

export function takeTurns(journal: Journal): Turns {
  let rows = 0
  let turns = 0
  return {
    isDue: () => ++rows % ROWS_PER_TURN === 0,
    async take() {
      if (journal.drained !== undefined) await journal.drained()
      else if (++turns % TURNS_PER_FLUSH === 0) await journal.flush()
      await nextTurn()
    },
  }
}
