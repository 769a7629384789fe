import { setImmediate as nextTurn } from "node:timers/promises"
import type { Steps } from "@assay/metrics"
import type { Journal } from "../journal/journal.ts"

/** Yields to other work of the process, and to the journal, while rows are scored in a plain loop. */
export interface Turns {
  /** Returns whether it is time to yield. Called after each row. */
  isDue(): boolean
  /** Returns whether slow metrics have already taken `MS_PER_TURN`. Called after each metric of a row. */
  isLate(): boolean
  /** Yields. */
  take(): Promise<void>
}

/** About 10 ms of the cheapest rows. */
const ROWS_PER_TURN = 1000
/** A flush waits for the disk, so not every turn makes one. */
const TURNS_PER_FLUSH = 16

/** For slow rows: templates and texts of users can take a tenth of a second each. */
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

/** Does work in steps, and yields to other work of the process every `MS_PER_TURN`. @param now milliseconds since 1970, UTC */
export async function stepInTurns<Result>(steps: Steps<Result>, now: () => number): Promise<Result> {
  let since = now()
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (now() - since < MS_PER_TURN) continue
    await nextTurn()
    since = now()
  }
}
