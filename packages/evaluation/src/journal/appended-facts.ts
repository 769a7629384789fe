import { isDeepStrictEqual } from "node:util"
import type { EvaluationRow } from "@assay/schemas"
import { collectFacts, type FactsCollector } from "./collect-facts.ts"
import { rowsOfFacts } from "./read-facts.ts"

/** Facts about the rows of a journal, which it has because all rows were appended to it since it was empty. */
export interface AppendedFacts {
  add(row: EvaluationRow): void
  /** Returns the rows without their texts and items, in batches. Undefined if their facts are too long to be kept. */
  rows(): Iterable<readonly EvaluationRow[]> | undefined
  /** Returns whether the rows were appended in the order of these tasks, of their rows and of their repeats. */
  areInOrder(tasks: readonly string[]): boolean
}

/** Characters, by an estimate: about 300,000 rows with two scores, which take some 50 MB. */
export const MAX_FACTS_LENGTH = 16 * 1024 * 1024
/** Characters of the facts of a task that has no rows. */
const TASK_LENGTH = 1024

/** @param maxLength characters of the facts that are kept, by an estimate. 0: only the order of the rows is known */
export function collectAppendedFacts(maxLength: number): AppendedFacts {
  // Facts are those of one task, so another task begins other ones.
  let collected: FactsCollector[] = []
  let task: string | undefined
  let left = maxLength
  const order = watchOrder()
  return {
    add(row) {
      order.add(row)
      let last = collected.at(-1)
      if (row.task !== task || last === undefined) {
        if (left <= 0) return
        left -= TASK_LENGTH + (last?.length ?? 0)
        task = row.task
        last = collectFacts(task, [], left)
        collected.push(last)
      }
      last.add(row)
      if (last.length <= left) return
      collected = []
      left = 0
    },
    rows: () => (left > 0 ? rowsOfAll(collected) : undefined),
    areInOrder: (tasks) => order.isThatOf(tasks),
  }
}

function* rowsOfAll(collected: readonly FactsCollector[]): Generator<readonly EvaluationRow[], void> {
  for (const one of collected) {
    const facts = one.facts()
    if (facts !== undefined) yield* rowsOfFacts(facts)
  }
}

/** Watches the order of rows without keeping them. */
function watchOrder() {
  const tasks: string[] = []
  let isOrdered = true
  let row = 0
  let repeat = 0
  return {
    add(next: EvaluationRow): void {
      if (!isOrdered) return
      if (next.task === tasks.at(-1)) {
        isOrdered = next.row_index > row || (next.row_index === row && next.repeat >= repeat)
      } else {
        isOrdered = !tasks.includes(next.task)
        tasks.push(next.task)
      }
      row = next.row_index
      repeat = next.repeat
    },
    isThatOf(wanted: readonly string[]): boolean {
      return (
        isOrdered &&
        isDeepStrictEqual(
          wanted.filter((task) => tasks.includes(task)),
          tasks,
        )
      )
    },
  }
}
