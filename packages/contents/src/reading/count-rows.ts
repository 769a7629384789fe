import type { DatasetMetadata } from "@assay/schemas"
import type { FilePath, Storage } from "@assay/storage"
import { openParquet } from "../formats/parquet/open-parquet.ts"
import { rowsIn } from "../rows/row-block.ts"
import { checkRowPath } from "../rows/row-format.ts"
import { openCuts } from "./cut-rows.ts"

export interface CountRowsOptions {
  /** Stop counting at this number of rows. Default: the end of the file. */
  readonly limit?: number | undefined
  /** It says how CSV is written. */
  readonly metadata?: DatasetMetadata | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Counts the rows that `openRows` returns, including faulty ones. Text is cut into rows without parsing. For Parquet
 * only the footer is read.
 * @throws as `openRows`
 */
export async function countRows(storage: Storage, path: FilePath, options: CountRowsOptions = {}): Promise<number> {
  const { limit = Number.POSITIVE_INFINITY, metadata, signal } = options
  const { encoding, compression } = checkRowPath(path)
  if (encoding === "parquet") {
    const { total, close } = await openParquet(storage, path, { signal })
    await close()
    return Math.min(total, limit)
  }
  let count = 0
  for await (const cut of openCuts(storage, path, { encoding, compression }, { csv: metadata?.csv, signal })) {
    count += "bounds" in cut ? rowsIn(cut) : 1
    if (count >= limit) break
  }
  return Math.min(count, limit)
}
