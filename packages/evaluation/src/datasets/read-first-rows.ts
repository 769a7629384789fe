import { openRows, type Row } from "@assay/contents"
import type { FilePath } from "@assay/storage"
import type { OpenedDataset } from "../job-environment.ts"

/** A row and the file that it stands in. */
export interface FirstRow {
  readonly path: FilePath
  readonly row: Row
}

/**
 * The first rows of a dataset, over its files in order. Reads no further than it has to.
 * @throws `not_a_row_file`, what the storage throws, or the reason of `signal`
 */
export async function readFirstRows(
  { storage, paths, metadata }: OpenedDataset,
  most: number,
  signal?: AbortSignal,
): Promise<readonly FirstRow[]> {
  const rows: FirstRow[] = []
  for (const path of paths) {
    for await (const batch of openRows(storage, path, { metadata, signal })) {
      for (const row of batch.slice(0, most - rows.length)) rows.push({ path, row })
      if (rows.length >= most) return rows
    }
  }
  return rows
}
