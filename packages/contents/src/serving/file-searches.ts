import type { FilePath } from "@assay/storage"
import type { RowIndex, RowIndexStore } from "../pages/row-index.ts"
import { checkRowPath } from "../rows/row-format.ts"
import type { RowFileset, RowReader } from "./row-reader.ts"
import { createRowSearches, type RowQuestion, type SearchSubject } from "./row-searches.ts"
import type { Turns } from "@assay/isolation"
import type { Schemas } from "./workspace-schemas.ts"

export interface SearchOptions extends RowQuestion {
  readonly path: FilePath
  /** Position of the first row among those that were found. */
  readonly offset: number
  /** Begin at the first row from this index on, instead of `offset`. */
  readonly from?: number | undefined
  readonly limit: number
  /** Milliseconds to wait for the end of the search. */
  readonly waitMs: number
  readonly signal: AbortSignal
}

/** The state that readings of rows share. */
export interface ReadingContext {
  readonly turns: Turns
  /** Returns the part of the indexes for one fileset. */
  readonly indexesOf: (fileset: string) => Promise<RowIndexStore>
  readonly schemas: Schemas
}

/** Returns the indexes of a fileset. A search that is under way has indexed the rows that it found, so that nothing reads the file beside it. */
async function withIndexSoFar(
  { file, metadata, indexes }: SearchSubject,
  indexSoFar: (() => RowIndex) | undefined,
): Promise<RowIndexStore> {
  const { indexKeyOf } = await import("../pages/row-index.ts")
  const own = indexKeyOf(file, metadata?.csv)
  return { ...indexes, get: async (key) => (await indexes.get(key)) ?? (key === own ? indexSoFar?.() : undefined) }
}

/** Milliseconds between two looks at a search. */
const FIND_MS = 5000

/** Creates the functions that search whole files. */
export function createFileSearches({ turns, indexesOf, schemas }: ReadingContext): Pick<RowReader, "search" | "find"> {
  const searches = createRowSearches(turns)
  const subjectOf = async ({ id, workspace, storage, metadata }: RowFileset, path: FilePath, signal: AbortSignal) => {
    checkRowPath(path)
    const file = await storage.stat(path, { signal })
    return { fileset: id, file, storage, metadata, runner: await schemas.of(workspace), indexes: await indexesOf(id) }
  }
  return {
    async search(fileset, { path, offset, from, limit, waitMs, signal, ...question }) {
      const { workspace, storage, metadata } = fileset
      const subject = await subjectOf(fileset, path, signal)
      const { found, kinds, indexSoFar, ...search } = await searches.ask(subject, question, { waitMs, signal })
      const first = from === undefined ? offset : found.positionOf(from)
      const wanted = found.slice(first, first + limit)
      const { readRowsAt } = await import("../pages/read-rows-at.ts")
      const checkedBy = metadata === undefined ? undefined : { metadata, schemas: await schemas.of(workspace) }
      const reading = { checkedBy, indexes: await withIndexSoFar(subject, indexSoFar), signal }
      const data = wanted.length === 0 ? [] : await readRowsAt(storage, path, wanted, reading)
      const next = first + data.length
      return {
        data,
        offset: first,
        matched: found.length(),
        searched: search.searched,
        progress: search.progress,
        is_complete: search.isComplete,
        next_offset: found.slice(next, next + 1).length > 0 || !search.isComplete ? next : null,
        kinds: [...kinds],
      }
    },

    async find(fileset, { path, signal, ...question }) {
      const subject = await subjectOf(fileset, path, signal)
      for (;;) {
        const { found, isComplete } = await searches.ask(subject, question, { waitMs: FIND_MS, signal })
        if (isComplete) return found
      }
    },
  }
}
