import type { LaunchEstimate } from "@assay/schemas"
import type { TaskShape } from "../../plan/task-shape.ts"
import { FIRST_ROWS, limitsOf, type SeenDataset } from "./check-datasets.ts"

/**
 * Estimates what a job will ask, from what its checks have read. The rows of a dataset are known if the checks have seen its end.
 * Retries, and metrics that ask a judge several times about a row, are not counted.
 */
export function estimateJob(tasks: readonly TaskShape[], seen: readonly SeenDataset[]): LaunchEstimate {
  const estimated = tasks.map((task) => estimateTask(task, seen))
  return {
    rows: sumOf(estimated.map(({ rows }) => rows)),
    requests: sumOf(estimated.map(({ requests }) => requests)),
    tasks: estimated,
  }
}

function estimateTask(task: TaskShape, seen: readonly SeenDataset[]): LaunchEstimate["tasks"][number] {
  const { name, run, endpoints, isTried = false } = task
  const { known, max } = countRows(task, seen)
  const rows = known === undefined ? null : Math.min(known, max)
  // The guardrail of a calibration asks at least one model, which its stored configuration may name.
  const asked = Math.max(endpoints.length, isTried ? 1 : 0)
  const requests = asked === 0 ? 0 : rows === null ? null : rows * run.repeats * asked
  return { task: name, rows, max_rows: rows ?? (Number.isFinite(max) ? max : null), repeats: run.repeats, requests }
}

interface RowCount {
  /** Undefined if only reading the whole dataset would tell. */
  readonly known: number | undefined
  /** Infinity without a limit. */
  readonly max: number
}

function countRows({ rows, run }: TaskShape, seen: readonly SeenDataset[]): RowCount {
  const max = run.limit ?? Infinity
  if (rows.kind === "rows") return { known: rows.rows.length, max }
  const key = JSON.stringify(rows.dataset)
  const found = seen.find(({ dataset }) => JSON.stringify(dataset) === key)
  const own = Math.min(max, limitsOf(rows.dataset).limit ?? Infinity)
  const isWhole = found !== undefined && found.rows.length < FIRST_ROWS
  return { known: isWhole ? found.rows.length : undefined, max: own }
}

/** Returns null without counts: a benchmark has no tasks of its own, and a malformed configuration has none that are known. */
function sumOf(counts: readonly (number | null)[]): number | null {
  if (counts.length === 0) return null
  return counts.reduce<number | null>((sum, count) => (sum === null || count === null ? null : sum + count), 0)
}
