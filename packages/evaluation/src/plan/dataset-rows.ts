import { countRows, openRows, type Row } from "@assay/contents"
import { isExactNumber } from "@assay/schemas"
import type { FilePath } from "@assay/storage"
import type { OpenedDataset } from "../job-environment.ts"
import type { RowSource, SourceRow } from "./task-plan.ts"

/** The rows of a dataset's files, one file after another, in batches of about a mebibyte. */
export function datasetRows(
  { storage, metadata }: Pick<OpenedDataset, "storage" | "metadata">,
  paths: readonly FilePath[],
  limit = Number.POSITIVE_INFINITY,
): RowSource {
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
      let count = 0
      for (const path of paths) {
        if (count >= limit) break
        count += await countRows(storage, path, { limit: limit - count, signal })
      }
      return count
    },
  }
}

interface Batch {
  readonly path: FilePath
  readonly rows: readonly Row[]
}

function sourceRow({ row, fault, line }: Row, path: FilePath, index: number): SourceRow {
  if (fault === null && typeof row === "object" && row !== null && !Array.isArray(row) && !isExactNumber(row)) {
    return { index, item: row as SourceRow["item"] }
  }
  const at = line === null ? `in '${path}'` : `in line ${line} of '${path}'`
  return {
    index,
    item: {},
    fault: `The row ${at} ${fault ?? "is no object; write {…} with the fields that are read"}.`,
  }
}
