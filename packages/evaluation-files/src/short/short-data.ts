import { isLocalPath, type EvaluationTargetBody } from "@assay/schemas"
import type { ShortEvaluation } from "./short-evaluation.ts"

const ROW_FILE = /\.(?:csv|tsv|json|jsonl|ndjson|parquet)(?:\.(?:gz|zst))?$|[*?]/i

/** Returns where rows come from, as the long form says it. A file or a glob beside the evaluation file begins with `../` there. */
function filesUrlOf(data: string): string {
  const isFile = !isLocalPath(data) && !/[:#]/.test(data) && ROW_FILE.test(data)
  return isFile ? `./${data}` : data
}

/** Returns the dataset of a task whose target is a model. */
export function taskDataset(data: ShortEvaluation["data"]): object {
  if (Array.isArray(data)) return { rows: data }
  return typeof data === "string" ? { files_url: filesUrlOf(data) } : data
}

/** Returns the target of rows that have outputs already. */
export function outputsTarget(data: ShortEvaluation["data"]): EvaluationTargetBody {
  if (Array.isArray(data)) return { type: "rows", rows: data }
  return { type: "cached_outputs", cached_outputs: taskDataset(data) }
}
