import type { TaskShape } from "@assay/evaluation"
import { isObject } from "@assay/json"
import { AssayError } from "@assay/schemas"
import type { SeenDataset } from "./check-datasets.ts"
import { findSeen } from "./find-seen-dataset.ts"
import { type FailedCheck, failedCheck } from "./check-run.ts"

/** The empty texts of each column: how many, and where the first ones are. */
export interface Blanks {
  readonly add: (row: unknown, location: string) => void
  readonly of: (column: string) => { readonly count: number; readonly first: readonly string[] } | undefined
}

/** Maximum number of rows that a message names. */
const MAX_NAMED = 3
/** Further columns are not looked at. */
const MAX_COLUMNS = 1000

export function createBlanks(): Blanks {
  const found = new Map<string, { count: number; first: string[] }>()
  return {
    add(row, location) {
      if (!isObject(row)) return
      for (const [column, value] of Object.entries(row)) {
        if (typeof value !== "string" || value.trim() !== "") continue
        const known = found.get(column) ?? { count: 0, first: [] }
        if (known.first.length < MAX_NAMED) known.first.push(location)
        known.count += 1
        if (found.size < MAX_COLUMNS) found.set(column, known)
      }
    },
    of: (column) => found.get(column),
  }
}

/** Types of metrics that compare the answer with a text of the row. */
const COMPARING = new Set([
  "string-check",
  "number-check",
  "accuracy",
  "exact-match",
  "em",
  "f1",
  "bleu",
  "rouge",
  "chrf",
  "ter",
  "gsm8k",
  "math",
])

/** Warns of rows whose expected text is empty: a search for it has no score, and any other comparison fails if the model answers. */
export function checkBlanks(tasks: readonly TaskShape[], seen: readonly SeenDataset[]): readonly FailedCheck[] {
  return tasks.flatMap((task) => {
    const blanks = blanksOf(task, seen)
    return task.metrics.flatMap(({ key, type, fields }) => {
      if (blanks === undefined || !COMPARING.has(type)) return []
      const columns = new Set(fields.flatMap(({ anyOf: [only, other] }) => (other === undefined ? (only ?? []) : [])))
      return [...columns].flatMap((column) => {
        const found = blanks.of(column)
        return found === undefined ? [] : [warning(`tasks.${task.name}.metrics.${key}`, column, found)]
      })
    })
  })
}

function blanksOf({ rows }: TaskShape, seen: readonly SeenDataset[]): Blanks | undefined {
  if (rows.kind === "rows") {
    const blanks = createBlanks()
    for (const [index, row] of rows.rows.entries()) blanks.add(row, `row ${index}`)
    return blanks
  }
  return findSeen(seen, rows.dataset)?.blanks
}

function warning(
  location: string,
  column: string,
  { count, first }: NonNullable<ReturnType<Blanks["of"]>>,
): FailedCheck {
  const more = count > first.length ? ` and ${count - first.length} more` : ""
  const message = `${location}: compares with '${column}', which is empty in ${first.join(", ")}${more}.`
  const remedy = `Fill in '${column}', or remove the rows: a search for an empty text has no score.`
  return failedCheck("fields", new AssayError("rows_invalid", message, { context: { remedy } }))
}
