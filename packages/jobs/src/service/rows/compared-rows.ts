import { type JobRows, rowLines } from "@assay/results"
import {
  invalidRequest,
  MAX_OTHER_JOBS,
  MAX_OTHER_OUTPUT,
  parseRowFilters,
  rowFieldsOf,
  type ComparedRow,
  type ComparedRowChange,
  type ComparedRowPage,
  type ComparedRowSort,
  type EvaluationRow,
  type OtherSide,
} from "@assay/schemas"
import type { FilterParameters, RowAccess } from "../evaluation-rows.ts"
import type { JobCaller } from "../job-caller.ts"

type PairSort = Parameters<JobRows["compare"]>[1]["sort"]
type IndexedPair = Awaited<ReturnType<JobRows["compare"]>>["pairs"][number]

export interface CompareRowsQuery extends FilterParameters {
  /** `metric.score`, or `metric` if it has one score. */
  readonly metric: string
  readonly sort: ComparedRowSort
  /** Default: all rows. */
  readonly change?: ComparedRowChange | undefined
  /** The ids of further jobs whose rows are shown beside these. Default: none. */
  readonly others?: readonly string[]
  readonly offset: number
  readonly limit: number
}

/** Returns a page of the rows that two jobs have, with those of further jobs beside them. @throws `invalid_request` for too many jobs */
export async function compareRows(
  { rows: open, see }: RowAccess,
  [a, b]: readonly [a: string, b: string],
  { task, parameters, metric, sort, change, others = [], offset, limit, signal }: CompareRowsQuery,
  caller: JobCaller,
): Promise<ComparedRowPage> {
  if (others.length > MAX_OTHER_JOBS) {
    const message = `are ${others.length} jobs; at most ${MAX_OTHER_JOBS} are shown beside two.`
    throw invalidRequest(["query", "others"], message, "too_long")
  }
  const first = await see(a, caller)
  const second = await see(b, caller)
  const beside = await Promise.all(others.map((id) => see(id, caller)))
  const by: PairSort = { by: sort.replace(/^-/u, "") as PairSort["by"], isDescending: sort.startsWith("-") }
  const selection = { task, filters: parseRowFilters(parameters), metric, sort: by, change, offset, limit }
  const rows = await open()
  const { pairs, onlyA, onlyB, ...found } = await rows.compare({ a: first, b: second }, selection, signal)
  const keys = pairs.map(({ b: { task: of, row_index: row, repeat } }) => ({ task: of, row, repeat }))
  const columns: OtherColumn[] = []
  // One job after the other, so that the rows of only one of them are in memory.
  for (const job of beside) {
    const given = await rows.at(job, keys)
    columns.push(given.map((row) => (row === undefined ? null : otherSide(row, found.metric))))
  }
  return {
    object: "list",
    a: first.job,
    b: second.job,
    ...found,
    data: pairs.map((pair, at) => comparedRow(pair, at, columns)),
    only_a: onlyA,
    only_b: onlyB,
    next_offset: rowLines.nextOffset(offset, pairs.length, found.matched),
  }
}

type OtherColumn = readonly (OtherSide | null)[]

function comparedRow({ a, b, scoreA, scoreB }: IndexedPair, at: number, columns: readonly OtherColumn[]): ComparedRow {
  return {
    task: b.task,
    row_index: b.row_index,
    repeat: b.repeat,
    a: { ...rowFieldsOf(a), score: numberOrNull(scoreA) },
    b: { ...rowFieldsOf(b), score: numberOrNull(scoreB) },
    difference: numberOrNull(scoreB - scoreA),
    ...(columns.length === 0 ? {} : { others: columns.map((column) => column[at] ?? null) }),
  }
}

/** @param name the score, as `metric.score` */
function otherSide({ scores, sample, error }: EvaluationRow, name: string): OtherSide {
  const end = name.lastIndexOf(".")
  const value = scores[name.slice(0, end)]?.[name.slice(end + 1)]
  return {
    score: typeof value === "number" ? value : null,
    output: sample?.output_text?.slice(0, MAX_OTHER_OUTPUT).toWellFormed() ?? null,
    error,
  }
}

function numberOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null
}
