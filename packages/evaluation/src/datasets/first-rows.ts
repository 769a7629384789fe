import { openRows, type Row } from "@assay/contents"
import type { FilePath } from "@assay/storage"
import type { OpenedDataset } from "../job-environment.ts"

/** A row and the file that contains it. */
export interface FirstRow {
  readonly path: FilePath
  readonly row: Row
}

/**
 * Reads the first `count` rows of a dataset, over its files in order, and no further than necessary.
 * @throws `not_a_row_file`, an error of the storage, or the reason of `signal`
 */
async function readFirstRows(
  { storage, paths, metadata }: OpenedDataset,
  count: number,
  signal?: AbortSignal,
): Promise<readonly FirstRow[]> {
  const rows: FirstRow[] = []
  for (const path of paths) {
    for await (const batch of openRows(storage, path, { metadata, signal })) {
      for (const row of batch.slice(0, count - rows.length)) rows.push({ path, row })
      if (rows.length >= count) return rows
    }
  }
  return rows
}

/** Maximum total bytes of local files whose rows are counted, which takes less than 0.1 s. */
const MAX_COUNTED_BYTES = 4 * 1024 * 1024

/**
 * Counts the rows of a small dataset on local storage. Undefined for others, and for one that can't be read to its end: the job says why.
 * @param onRow gets each row
 * @throws the reason of `signal`
 */
async function countFewRows(
  { storage, paths, metadata, pin }: OpenedDataset,
  onRow: (row: FirstRow) => void,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const read = new Set<string>(paths)
  const bytes = pin.files.reduce((sum, { path, size }) => sum + (read.has(path) ? size : 0), 0)
  if (storage.type !== "local" || bytes > MAX_COUNTED_BYTES) return undefined
  let count = 0
  try {
    for (const path of paths) {
      for await (const batch of openRows(storage, path, { metadata, signal })) {
        count += batch.length
        for (const row of batch) onRow({ path, row })
      }
    }
  } catch {
    signal?.throwIfAborted()
    return undefined
  }
  return count
}

/** Looks at the beginning of a dataset. */
export const firstRows = Object.freeze({ read: readFirstRows, countFew: countFewRows })
