import type { DatasetMetadata } from "@assay/schemas"
import type { Storage, StoredFile } from "@assay/storage"
import { createBufferPool } from "../bytes/pieces.ts"
import type { SchemaRunner } from "../checking/schema-pool.ts"
import { plainFilters, type RowPart, type RowSelection, type SelectedRows } from "../checking/select-rows.ts"
import { openParquet } from "../formats/parquet/open-parquet.ts"
import { createRowIndexer, indexKeyOf, type RowIndex, type RowIndexStore } from "./row-index.ts"
import { openCuts } from "../reading/cut-rows.ts"
import { checkRowPath } from "../rows/row-format.ts"
import type { UnreadableRow } from "../rows/row.ts"
import { rowSchemasOf } from "../schemas/row-schemas.ts"

export interface SearchRowsOptions {
  readonly storage: Storage
  readonly metadata: DatasetMetadata | undefined
  readonly runner: SchemaRunner
  readonly selection: RowSelection
  /** Keeps the positions of the rows, so that the rows that are found can be read. */
  readonly indexes: RowIndexStore
  /** Called once, before the first row of a text file, with what returns the positions of the rows that were read so far. */
  readonly onIndex: (soFar: () => RowIndex) => void
  readonly signal: AbortSignal
  /** Called with the size of each piece of the file after it was read. */
  readonly onBytes: (count: number) => void
}

/** Rows of a file in their order, and which of them were selected. */
export interface SearchedPart extends SelectedRows {
  /** Index of the first row. */
  readonly rowIndex: number
}

const MAX_BLOCK_BYTES = 2 * 1024 * 1024
const MIN_BLOCK_BYTES = 256 * 1024

/**
 * Selects rows of a file, part by part and in order. The parts are read here and searched on other threads, several at a time, unless the
 * file is small.
 * @throws `not_a_row_file`; `schema_too_costly`; what the storage throws; the reason of `signal`
 */
export async function* searchRows(
  file: StoredFile,
  { storage, metadata = {}, runner, selection, indexes, onIndex, signal, onBytes }: SearchRowsOptions,
): AsyncGenerator<SearchedPart, void, undefined> {
  const { encoding, compression } = checkRowPath(file.path)
  const schemas = rowSchemasOf(metadata)
  const plain = { ...selection, filters: plainFilters(selection.filters) }
  const buffers = createBufferPool(Math.min(Math.max(file.size, MIN_BLOCK_BYTES), MAX_BLOCK_BYTES))
  const select = async (part: RowPart, rowIndex: number): Promise<SearchedPart> => {
    const transferList = part.block === undefined ? [] : [part.block.bytes.buffer, part.block.bounds.buffer]
    const job = { kind: "select", path: file.path, part, selection: plain } as const
    const { selected, bytes } = await runner.run(schemas, job, { signal, characters: file.size, transferList })
    if (bytes !== undefined) buffers.give(bytes)
    return { ...selected, rowIndex }
  }
  if (encoding === "parquet") {
    const parquet = await openParquet(storage, file.path, { signal })
    try {
      yield* inOrder(parquet.windows(), runner.parallel, (window) =>
        "text" in window ? select({ window }, window.rowIndex) : single(window, plain),
      )
    } finally {
      await parquet.close()
    }
    onBytes(file.size)
    return
  }
  const indexer = createRowIndexer({ encoding, compression })
  onIndex(indexer.result)
  const reading = { etag: file.etag, buffers, csv: metadata.csv, signal, onBytes, onForm: indexer.onForm }
  const cuts = openCuts(storage, file.path, { encoding, compression }, reading)
  yield* inOrder(cuts, runner.parallel, (cut) => {
    indexer.add(cut)
    return "bounds" in cut ? select({ block: cut }, cut.rowIndex) : single(cut, plain)
  })
  const key = indexKeyOf(file, metadata.csv)
  if (key !== undefined) await indexes.set(key, indexer.result())
}

/** Returns the part of a row that can't be read. */
async function single(
  { row_index, fault }: UnreadableRow,
  { isInvalid, issue, filters }: RowSelection,
): Promise<SearchedPart> {
  const isFound = isInvalid && filters.length === 0 && (issue === undefined || issue.message === fault)
  return {
    rowIndex: row_index,
    rows: 1,
    found: Uint32Array.from(isFound ? [0] : []),
    kinds: isInvalid && filters.length === 0 ? [{ pointer: "", message: fault, count: 1 }] : [],
  }
}

/** Works on several parts at a time, and yields the results in the order of the parts. */
async function* inOrder<Part, Result>(
  parts: AsyncIterable<Part>,
  parallel: number,
  work: (part: Part) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const underWay: Promise<Result>[] = []
  for await (const part of parts) {
    const result = work(part)
    // It is awaited later. Until then its failure must not count as unhandled.
    result.catch(() => {})
    underWay.push(result)
    const first = underWay[0]
    if (underWay.length <= parallel || first === undefined) continue
    void underWay.shift()
    yield await first
  }
  for (const result of underWay) yield await result
}
