import { setImmediate } from "node:timers/promises"
import type { DatasetMetadata, ProfileColumn, RowProfile } from "@assay/schemas"
import type { Storage } from "@assay/storage"
import type { TextForm } from "../reading/cut-rows.ts"
import { listRowFiles, openRows } from "../reading/open-rows.ts"
import { createColumnTree } from "./column-tree.ts"

/** Progress of a profile, in bytes of all files as they are stored. */
export interface ProfileProgress {
  readonly bytes: number
  readonly bytesDone: number
}

export interface ProfileRowsOptions {
  readonly storage: Storage
  /** Its schemas decide the types of CSV fields. */
  readonly metadata?: DatasetMetadata | undefined
  /** A file, or a folder with everything below it. Default: every file. */
  readonly path?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: ProfileProgress) => void) | undefined
}

/**
 * Describes the rows of a fileset column by column, over all files. Memory is bounded: columns after the first 1000 are
 * left out, and for columns with more than 1000 distinct values some figures are estimates and marked as such.
 * @throws `not_found`; `not_a_row_file`; what the storage throws; the reason of `signal`
 */
export async function profileRows(options: ProfileRowsOptions): Promise<RowProfile> {
  const { metadata, path, signal, onProgress } = options
  const tree = createColumnTree()
  const files: RowProfile["files"] = []
  const listed = await listRowFiles(options.storage, path, signal)
  const bytes = listed.reduce((sum, file) => sum + file.size, 0)
  let bytesDone = 0
  const storage = countReads(options.storage, (count) => {
    // Parquet files are read twice in part: once for their metadata. Never report more than all bytes.
    bytesDone = Math.min(bytes, bytesDone + count)
    onProgress?.({ bytes, bytesDone })
  })
  for (const file of listed) {
    let rows = 0
    let unreadable = 0
    let notes: readonly string[] = []
    const onForm = (form: TextForm) => void (notes = form.notes)
    for await (const batch of openRows(storage, file.path, { metadata, numbers: "value", signal, onForm })) {
      for (const { row, fault } of batch) {
        rows++
        if (fault !== null) unreadable++
        else for (const _ of tree.add(row)) await setImmediate()
      }
    }
    files.push({ path: file.path, rows, unreadable, ...(notes.length === 0 ? {} : { notes: [...notes] }) })
  }
  const columns: ProfileColumn[] = []
  for (const some of tree.describe()) {
    columns.push(...some)
    await setImmediate()
  }
  return { files, columns, columns_truncated: tree.isTruncated() }
}

/** Returns a storage that reports the number of bytes as they are read. */
function countReads(storage: Storage, onBytes: (count: number) => void): Storage {
  async function* counted(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const piece of bytes) {
      // Count first: the reader may transfer the memory of the piece.
      onBytes(piece.length)
      yield piece
    }
  }
  return {
    ...storage,
    async read(path, options) {
      const result = await storage.read(path, options)
      return { ...result, bytes: counted(result.bytes) }
    },
  }
}
