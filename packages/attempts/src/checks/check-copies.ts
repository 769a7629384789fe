import { hash } from "node:crypto"
import { formatCount, formatInteger } from "@assay/reports"
import type { TaskShape } from "@assay/evaluation"
import { isObject } from "@assay/json"
import { AssayError } from "@assay/schemas"
import type { SeenDataset } from "./check-datasets.ts"
import { findSeen } from "./find-seen-dataset.ts"
import { type FailedCheck, failedCheck } from "./check-run.ts"

/** Rows that repeat another one. */
export interface Copies {
  /** Adds a row, and where it is. */
  readonly add: (row: unknown, location: string) => void
  readonly rows: number
  /** The number of rows that repeat an earlier one. */
  readonly count: number
  /** The first row that repeats another one, and the one that it repeats. */
  readonly first: readonly [row: string, of: string] | undefined
}

/** Columns that number or name rows, or say when they were made. Copies of a row differ in them. */
const NAMES_ROWS = /^(?:.*[_-])?(?:id|uid|uuid|guid|index|idx|row|line|timestamp|created_at|updated_at)$|^[a-z]+Id$/i

/**
 * Finds rows that are equal to an earlier one in all columns, apart from those that only name rows.
 * @param read the columns that tasks read: they are always compared
 */
export function createCopies(read: ReadonlySet<string>): Copies {
  const known = new Map<string, string>()
  let rows = 0
  let count = 0
  let first: Copies["first"]
  return {
    add(row, location) {
      if (!isObject(row)) return
      rows++
      const key = keyOf(row, read)
      const before = known.get(key)
      if (before === undefined) known.set(key, location)
      else {
        count++
        first ??= [location, before]
      }
    },
    get rows() {
      return rows
    },
    get count() {
      return count
    },
    get first() {
      return first
    },
  }
}

function keyOf(row: Readonly<Record<string, unknown>>, read: ReadonlySet<string>): string {
  const compared = Object.entries(row).filter(([column]) => read.has(column) || !NAMES_ROWS.test(column))
  return hash("sha256", JSON.stringify(compared.toSorted(([a], [b]) => (a < b ? -1 : 1))), "base64")
}

/** With fewer copies, an interval is too narrow by less than 3 % of its width. */
const MAX_SHARE = 0.05

/** Warns of tasks that count copies of rows as rows: intervals, gates and comparisons then promise more than the rows can show. */
export function checkCopies(tasks: readonly TaskShape[], seen: readonly SeenDataset[]): readonly FailedCheck[] {
  return tasks.flatMap((task) => {
    const copies = task.run.clusterBy === undefined ? copiesOf(task, seen) : undefined
    return copies?.first === undefined || copies.count <= MAX_SHARE * copies.rows ? [] : [warning(task.name, copies)]
  })
}

/** Returns the names of the columns that tasks read in the rows of a dataset. */
export function columnsRead(tasks: readonly TaskShape[], dataset: unknown): ReadonlySet<string> {
  const key = JSON.stringify(dataset)
  const reading = tasks.filter(({ rows }) => rows.kind === "dataset" && JSON.stringify(rows.dataset) === key)
  return new Set(reading.flatMap(({ fields }) => fields.flatMap(({ anyOf }) => anyOf)))
}

function copiesOf({ rows, fields }: TaskShape, seen: readonly SeenDataset[]): Copies | undefined {
  if (rows.kind === "dataset") return findSeen(seen, rows.dataset)?.copies
  const copies = createCopies(new Set(fields.flatMap(({ anyOf }) => anyOf)))
  for (const [index, row] of rows.rows.entries()) copies.add(row, `row ${index}`)
  return copies
}

function warning(task: string, { count, rows, first: [row, of] = ["", ""] }: Copies): FailedCheck {
  const repeat = count === 1 ? "repeats" : "repeat"
  const message = `tasks.${task}: ${formatCount(count, "row")} of ${formatInteger(rows)} ${repeat} another one (the first: ${row} repeats ${of}). Only ${formatInteger(rows - count)} ${rows - count === 1 ? "is" : "are"} different, but intervals, gates and comparisons count all of them, so that a verdict is wrong more often than it says.`
  const remedy = "Remove the copies, or name a column that copies share: `group` of the file, `cluster_by` of params."
  return failedCheck("rows", new AssayError("rows_invalid", message, { context: { remedy } }))
}
