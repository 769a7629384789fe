import { AssayError } from "@assay/schemas"
import { quotePath } from "@assay/storage/paths"
import type { OpenedDataset } from "../evaluation-world.ts"
import { datasetRows } from "./dataset-rows.ts"
import { inlineRows } from "./inline-rows.ts"
import type { PlanContext } from "./plan-context.ts"
import type { RunParams } from "./run-params.ts"
import type { RowSource } from "./task-plan.ts"
import type { TaskRows } from "./task-shape.ts"

/** Opens the rows of a task, up to the smaller one of `limit_samples` and the dataset's `limit`. @throws as the world's `openDataset` */
export async function openTaskRows(rows: TaskRows, { limit }: Pick<RunParams, "limit">, context: PlanContext): Promise<RowSource> {
  if (rows.kind === "rows") return inlineRows(rows.rows, limit)
  const opened = await context.openDataset(rows.dataset)
  const own = typeof rows.dataset === "string" ? {} : rows.dataset
  const least = Math.min(limit ?? Number.POSITIVE_INFINITY, own.limit ?? Number.POSITIVE_INFINITY)
  return datasetRows(opened, pathsOfSplit(opened, own.split), least)
}

/** The files whose path names the split as a word: `data/test-00000.parquet` and `test/rows.jsonl` are of `test`. */
function pathsOfSplit({ paths, pin }: OpenedDataset, split: string | undefined): OpenedDataset["paths"] {
  if (split === undefined || paths.length === 1) return paths
  const found = paths.filter((path) => path.split(/[^\p{L}\p{N}]+/u).includes(split))
  if (found.length > 0) return found
  const names = paths.slice(0, 8).map(quotePath).join(", ")
  const message = `Dataset ${pin.files_url} has no file of the split '${split}'; it has ${names}.`
  throw new AssayError("dataset_missing", message, { context: { split } })
}
