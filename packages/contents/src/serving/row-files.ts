import type { DatasetMetadata } from "@assay/schemas"
import type { FilePath, StoredFile } from "@assay/storage"
import { LRUCache } from "lru-cache"
import type { RowSpan } from "../reading/open-rows.ts"
import type { RowIndexStore } from "../pages/row-index.ts"
import type { ColumnStatistics } from "../profile/column-statistics.ts"
import type { Row } from "../rows/row.ts"
import type { RowFileset } from "./row-reader.ts"
import type { Turns } from "@assay/isolation"

interface ReadOptions {
  /** Decides the types of CSV fields, instead of the metadata of the fileset. */
  readonly metadata: DatasetMetadata | undefined
  readonly signal: AbortSignal
}

/** A batch of rows, and the number of rows in the files before its file. */
export interface FileRows {
  readonly before: number
  readonly rows: readonly Row[]
}

/** Reads rows of several files as one list, for many requests. Whole reads share the turns of the other readings. */
export interface RowFiles {
  /** Returns the number of rows of a file. The first call for a version of a file reads it. */
  count(fileset: RowFileset, file: StoredFile, signal: AbortSignal): Promise<number>
  /** Visits a range of the rows of a file. An error of `visit` ends the reading. */
  range(
    fileset: RowFileset,
    path: FilePath,
    options: ReadOptions & { readonly span: RowSpan; readonly visit: (row: Row) => void },
  ): Promise<void>
  /** Reads all rows of files, one after another, as one piece of work. */
  scan<T>(
    fileset: RowFileset,
    paths: readonly FilePath[],
    options: ReadOptions & { readonly use: (batches: AsyncIterable<FileRows>) => Promise<T> },
  ): Promise<T>
  statistics(fileset: RowFileset, paths: readonly FilePath[], options: ReadOptions): Promise<ColumnStatistics>
}

/** Counts are small, but those of large filesets are many. */
const MAX_COUNTS = 100_000

interface RowFilesContext {
  readonly turns: Turns
  /** Returns the part of the indexes for one fileset. */
  readonly indexesOf: (fileset: string) => Promise<RowIndexStore>
}

export function createRowFiles({ turns, indexesOf }: RowFilesContext): RowFiles {
  // `max` would reserve memory for all counts when the server starts.
  const counts = new LRUCache<string, number>({ maxSize: MAX_COUNTS, sizeCalculation: () => 1 })

  async function* rowsOf(
    { storage }: RowFileset,
    paths: readonly FilePath[],
    { metadata, signal }: ReadOptions,
  ): AsyncGenerator<FileRows, void, undefined> {
    const { openRows } = await import("../reading/open-rows.ts")
    let before = 0
    for (const path of paths) {
      let count = 0
      for await (const rows of openRows(storage, path, { metadata, signal })) {
        signal.throwIfAborted()
        yield { before, rows }
        count += rows.length
      }
      before += count
    }
  }

  return {
    async count({ id, storage, metadata }, { path, etag }, signal) {
      const key = etag === null ? undefined : JSON.stringify([id, path, etag, metadata?.csv])
      const known = key === undefined ? undefined : counts.get(key)
      if (known !== undefined) return known
      const { openRowRange } = await import("../pages/open-row-range.ts")
      const options = { metadata, indexes: await indexesOf(id), signal }
      const total = await turns.run(signal, async () => {
        const opened = await openRowRange(storage, path, { start: 0, end: 0 }, options)
        await opened.close()
        return opened.total
      })
      if (key !== undefined) counts.set(key, total)
      return total
    },

    async range({ id, storage }, path, { span, metadata, signal, visit }) {
      const { openRowRange } = await import("../pages/open-row-range.ts")
      const options = { metadata, indexes: await indexesOf(id), signal }
      return turns.run(signal, async () => {
        const opened = await openRowRange(storage, path, span, options)
        try {
          for await (const rows of opened.rows) for (const row of rows) visit(row)
        } finally {
          await opened.close()
        }
      })
    },

    scan: (fileset, paths, { use, ...options }) =>
      turns.run(options.signal, () => use(rowsOf(fileset, paths, options))),

    async statistics(fileset, paths, options) {
      const { columnStatistics } = await import("../profile/column-statistics.ts")
      return turns.run(options.signal, () => columnStatistics(rowsOf(fileset, paths, options)))
    },
  }
}
