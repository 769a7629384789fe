import { countRows, createMemoryRowIndexStore, openRowRange, openRows, type Row } from "@assay/contents"
import { type EvaluationDataset, EvaluationTask, invalidRequest } from "@assay/schemas"
import { fieldsOf, isJsonObject, isObject } from "@assay/json"
import type { FilePath } from "@assay/storage"
import { pathsOfSplit } from "../datasets/open-fileset-dataset.ts"
import type { OpenedDataset } from "../job-environment.ts"
import { meantKey } from "./meant-key.ts"
import { outlasting } from "./outlasting-rows.ts"
import type { RowSource, RunParams, SourceRow } from "@assay/scoring"
import type { PlanContext, TaskRows, TaskToShape } from "./task-shape.ts"

type RowRange = Parameters<NonNullable<RowSource["openRange"]>>[0]

/**
 * Returns where the rows of a task come from: the target, or the dataset of the task if the target is a model.
 * @throws `invalid_request` if there are no rows
 */
export function taskRows({ target, name, task }: Pick<TaskToShape, "target" | "name" | "task">): TaskRows {
  const { type, rows } = target
  if (type === "rows") {
    if (rows === undefined || rows.length === 0) throw missing(["target", "rows"], "has no rows; give at least one.")
    return { kind: "rows", rows }
  }
  const own = datasetOf(task.dataset)
  const { rows: ownRows } = fieldsOf(own)
  if (type === "model" && Array.isArray(ownRows)) return inlineDataset(ownRows, name)
  if (type === "model") {
    const hint = meantKey(task, "dataset", EvaluationTask.properties)
    return { kind: "dataset", dataset: given(own, ["tasks", name, "dataset"], hint) }
  }
  const found = type === "dataset" ? (target.dataset ?? own) : target.cached_outputs
  return { kind: "dataset", dataset: given(found, ["target", type]) }
}

/** Reads the dataset of a task leniently: opening it finds the faults. */
export function datasetOf(dataset: unknown): EvaluationDataset | string | undefined {
  if (typeof dataset === "string") return dataset
  return typeof dataset === "object" && dataset !== null ? dataset : undefined
}

/** Returns rows that are in the dataset of a task itself. @throws `invalid_request` if there are none, or if one is not an object */
function inlineDataset(rows: readonly unknown[], name: string): TaskRows {
  const path = ["tasks", name, "dataset", "rows"]
  if (rows.length === 0) throw missing(path, "has no rows; give at least one.")
  if (rows.every((row) => isObject(row))) return { kind: "rows", rows }
  throw invalidRequest(path, "has a row that is not an object; write {…} with the fields of the row.", "type")
}

function given<Dataset>(dataset: Dataset | undefined, path: readonly string[], hint = ""): Dataset {
  if (dataset !== undefined) return dataset
  throw missing(path, `is missing; give an object with 'files_url'.${hint}`)
}

function missing(path: readonly string[], message: string): Error {
  return invalidRequest(path, message, "missing")
}

/** Opens the rows of a task, up to the lower one of `limit_samples` and the `limit` of the dataset. @throws the errors of `openDataset` */
export async function openTaskRows(
  rows: TaskRows,
  { limit }: Pick<RunParams, "limit">,
  context: PlanContext,
): Promise<RowSource> {
  if (rows.kind === "rows") return inlineRows(rows.rows, limit)
  const { outages } = context.environment
  const opened = await context.openDataset(rows.dataset)
  const own = typeof rows.dataset === "string" ? {} : rows.dataset
  const least = Math.min(limit ?? Number.POSITIVE_INFINITY, own.limit ?? Number.POSITIVE_INFINITY)
  const source = datasetRows(opened, pathsOfSplit(opened, own.split), least)
  return outages === undefined ? source : outlasting(source, outages)
}

const BATCH = 256

/** Returns rows of the target itself. */
function inlineRows(rows: readonly SourceRow["item"][], limit = rows.length): RowSource {
  const total = Math.min(rows.length, limit)
  async function* read({ start, end }: RowRange, signal: AbortSignal): AsyncGenerator<readonly SourceRow[], void> {
    for (let first = start; first < end; first += BATCH) {
      signal.throwIfAborted()
      yield rows.slice(first, Math.min(first + BATCH, end)).map((item, at) => ({ index: first + at, item }))
    }
  }
  return {
    open: (signal) => read({ start: 0, end: total }, signal),
    openRange: ({ start, end }, signal) => read({ start, end: Math.min(end, total) }, signal),
    count: () => Promise.resolve(total),
  }
}

/** Reads the rows of a dataset, one file after another, in batches of about one mebibyte. */
function datasetRows(
  { storage, metadata, rowIndexes: indexes = createMemoryRowIndexStore() }: OpenedDataset,
  paths: readonly FilePath[],
  limit = Number.POSITIVE_INFINITY,
): RowSource {
  /** Rows of the files that were opened for a range. */
  const totals = new Map<FilePath, number>()
  let counted: number | undefined

  async function* batches(signal: AbortSignal): AsyncGenerator<Batch, void, undefined> {
    let left = limit
    for (const path of paths) {
      if (left <= 0) return
      for await (const rows of openRows(storage, path, { metadata, signal })) {
        const taken = rows.length > left ? rows.slice(0, left) : rows
        left -= taken.length
        if (taken.length > 0) yield { path, rows: taken }
        if (left <= 0) return
      }
    }
  }

  return {
    async *open(signal) {
      let index = 0
      for await (const { path, rows } of batches(signal)) yield rows.map((row) => sourceRow(row, path, index++))
    },
    async count(signal) {
      if (counted !== undefined) return counted
      let count = 0
      for (const path of paths) {
        if (count >= limit) break
        count += await countRows(storage, path, { limit: limit - count, metadata, signal })
      }
      counted = count
      return count
    },
    async *openRange({ start, end }, signal) {
      let before = 0
      for (const path of paths) {
        const known = totals.get(path)
        const span = { start: Math.max(0, start - before), end: Math.min(end, limit) - before }
        if (span.end <= 0) return
        if (known === undefined || span.start < known) {
          const { total, rows, close } = await openRowRange(storage, path, span, { metadata, indexes, signal })
          totals.set(path, total)
          try {
            for await (const batch of rows) yield batch.map((row) => sourceRow(row, path, before + row.row_index))
          } finally {
            await close()
          }
        }
        before += totals.get(path) ?? 0
      }
    },
  }
}

interface Batch {
  readonly path: FilePath
  readonly rows: readonly Row[]
}

function sourceRow({ row, fault, line }: Row, path: FilePath, index: number): SourceRow {
  if (fault === null && isJsonObject(row)) {
    return { index, item: row }
  }
  const at = line === null ? `in '${path}'` : `in line ${line} of '${path}'`
  return {
    index,
    item: {},
    fault: `The row ${at} ${fault ?? "is not an object; write {…} with the fields that the task reads"}.`,
  }
}
