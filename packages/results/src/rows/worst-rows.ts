import { rowFieldsOf } from "@assay/schemas"
import type { JobToCompare } from "../compare/job-to-compare.ts"
import { rankRows } from "./rank-rows.ts"
import { readRowsAt } from "./read-latest-rows.ts"

/**
 * Reads the rows that a person wants to see first: some that failed, and then those with the lowest scores. Reads all rows twice, and keeps
 * 8 bytes for each.
 */
export async function readWorstRows(
  { result, config, rows }: Pick<JobToCompare, "result" | "rows"> & Pick<Required<JobToCompare>, "config">,
  limit: number,
  signal?: AbortSignal,
): Promise<readonly ReturnType<typeof rowFieldsOf>[]> {
  const ranking = rankRows(result, config)
  for await (const batch of rows(signal)) for (const row of batch) ranking.add(row)
  const failed = ranking.failed(Math.floor(limit / 2))
  const references = [...failed, ...ranking.lowest(limit - failed.length)]
  const found = await readRowsAt(rows, references, { attempts: ranking.attempts(), signal })
  return found.flatMap((row) => (row === undefined ? [] : [rowFieldsOf(row)]))
}
