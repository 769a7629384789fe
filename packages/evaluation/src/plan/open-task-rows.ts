import { pathsOfSplit } from "../datasets/paths-of-split.ts"
import { datasetRows } from "./dataset-rows.ts"
import { inlineRows } from "./inline-rows.ts"
import type { PlanContext } from "./plan-context.ts"
import type { RunParams } from "./run-params.ts"
import type { RowSource } from "./task-plan.ts"
import type { TaskRows } from "./task-shape.ts"

/** Opens the rows of a task, up to the smaller one of `limit_samples` and the dataset's `limit`. @throws as the world's `openDataset` */
export async function openTaskRows(
  rows: TaskRows,
  { limit }: Pick<RunParams, "limit">,
  context: PlanContext,
): Promise<RowSource> {
  if (rows.kind === "rows") return inlineRows(rows.rows, limit)
  const opened = await context.openDataset(rows.dataset)
  const own = typeof rows.dataset === "string" ? {} : rows.dataset
  const least = Math.min(limit ?? Number.POSITIVE_INFINITY, own.limit ?? Number.POSITIVE_INFINITY)
  return datasetRows(opened, pathsOfSplit(opened, own.split), least)
}
