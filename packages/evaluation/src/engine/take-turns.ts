import { setImmediate as nextTurn } from "node:timers/promises"
import type { Journal } from "../journal/journal.ts"

/** Lets others have their turn, and the journal catch up, while rows are scored in a plain loop. */
export interface Turns {
  /** To be asked after each row. */
  isDue(): boolean
  /** To be asked after each metric of a row: whether costly ones have already taken the time of a turn. */
  isLate(): boolean
  take(): Promise<void>
}

/** About ten milliseconds of the cheapest rows. */
const ROWS_PER_TURN = 1000
/** To flush waits for the disk. */
const TURNS_PER_FLUSH = 16

/** Of rows that are not cheap: users write templates and texts that take a tenth of a second each. */
const MS_PER_TURN = 20

/** @param now milliseconds since 1970, UTC */
export function takeTurns(journal: Journal, now: () => number): Turns {
  let rows = 0
  let turns = 0
  let since = now()
  const isLate = () => now() - since >= MS_PER_TURN
  return {
    isLate,
    isDue: () => ++rows % ROWS_PER_TURN === 0 || isLate(),
    async take() {
      if (journal.drained !== undefined) await journal.drained()
      else if (++turns % TURNS_PER_FLUSH === 0) await journal.flush()
      await nextTurn()
      since = now()
    },
  }
}
