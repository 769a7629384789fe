import {
  type FilePath,
  lfsPointerFault,
  MAX_LFS_POINTER_BYTES,
  parseLfsPointer,
  type Storage,
  type StoredFile,
} from "@assay/storage"
import { peek } from "../../bytes/peek.ts"
import { filePieces } from "../../bytes/pieces.ts"
import { otherKindFault } from "../../bytes/other-kind.ts"
import type { Row, UnreadableRow } from "../../rows/row.ts"
import { openParquetFile } from "./parquet-ranges.ts"
import { rowsOfWindow, type RowsText, type GroupSize } from "./process/parquet-messages.ts"
import { startParquetProcess } from "./process/start-parquet-process.ts"

interface ParquetRows {
  readonly total: number
  /** Reads the rows from `start` to before `end`. If the file is faulty, the last row describes the fault. */
  readonly read: (start: number, end: number) => AsyncGenerator<readonly Row[], void, undefined>
  /** Reads all rows as JSON text, for callers that parse them on another thread. */
  readonly windows: () => AsyncGenerator<ParquetWindow, void, undefined>
  readonly close: () => Promise<void>
}

/**
 * Consecutive rows as the JSON text of an array of about one mebibyte, or the row that describes why the file can't be
 * read any further.
 */
export type ParquetWindow = RowsText | UnreadableRow

interface OpenParquetOptions {
  readonly signal?: AbortSignal | undefined
  /**
   * Milliseconds of processor time for one decoding step. The whole file may take 4 times that, plus 10 s per mebibyte.
   * Default 30,000.
   */
  readonly patience?: number | undefined
}

/**
 * Opens a Parquet file by reading its footer. The caller must close it. A file that can't be read has one row, which
 * describes the fault.
 * @throws what the storage throws; `storage_changed`; the reason of `signal`
 */
export async function openParquet(
  storage: Storage,
  path: FilePath,
  { signal, patience }: OpenParquetOptions = {},
): Promise<ParquetRows> {
  const stored = await storage.stat(path, { signal })
  const fault = await faultBeforeReading(storage, stored, signal)
  if (fault !== undefined) return { ...oneFault(fault), close: async () => {} }
  const decoder = startParquetProcess(openParquetFile(storage, stored, signal), { signal, patience })
  const { close } = decoder
  try {
    const opened = await decoder.ask({ kind: "open", size: stored.size })
    if (opened.kind !== "opened") {
      const fault = await faultOfOtherKind(storage, stored, signal)
      return { ...oneFault(fault ?? (opened.kind === "fault" ? opened.fault : "no footer")), close }
    }
    const { groups } = opened
    const total = groups.reduce((sum, group) => sum + group.rows, 0)
    return { total, read: (start, end) => rowsOf(windows(start, end)), windows: () => windows(0, total), close }

    async function* windows(start: number, end: number): AsyncGenerator<ParquetWindow, void, undefined> {
      for (const window of planWindows(groups, start, end)) {
        let rowIndex = window.start
        let answer = await decoder.ask({ kind: "read", ...window })
        for (;;) {
          if (answer.kind !== "rows") {
            yield faultRow(rowIndex, answer.kind === "fault" ? answer.fault : "no rows")
            return
          }
          const { text, hasExact, lost } = answer
          yield { text, hasExact, lost, rowIndex }
          if (answer.isLast) break
          rowIndex += answer.count
          answer = await decoder.ask({ kind: "more" })
        }
      }
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Says why a file is not Parquet at all; undefined if it may be. */
async function faultBeforeReading(storage: Storage, { path, size, etag }: StoredFile, signal: AbortSignal | undefined) {
  if (size === 0) return "the file is empty (0 bytes)"
  if (size > MAX_LFS_POINTER_BYTES) return undefined
  const { beginning, pieces } = await peek(filePieces(storage, path, { etag, signal }), MAX_LFS_POINTER_BYTES)
  await pieces.return(undefined)
  const pointer = parseLfsPointer(beginning)
  return pointer === undefined ? undefined : `it ${lfsPointerFault(pointer)}`
}

/** The text at both ends of a Parquet file. */
const MAGIC = "PAR1"
/** The text at the end of a file whose footer is encrypted. */
const ENCRYPTED = "PARE"
const BEGIN_BYTES = 512

/** Says what a file is that does not end as Parquet does; undefined if it ends so. */
async function faultOfOtherKind(
  storage: Storage,
  { path, size, etag }: StoredFile,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const read = async (start: number, count: number) => {
    const range = { kind: "from", start, end: Math.min(start + count, size) - 1 } as const
    const { beginning, pieces } = await peek(filePieces(storage, path, { range, etag, signal }), count)
    await pieces.return(undefined)
    return beginning
  }
  const end = Buffer.from(await read(Math.max(0, size - MAGIC.length), MAGIC.length)).toString("latin1")
  if (end === MAGIC) return undefined
  if (end === ENCRYPTED) return "its footer is encrypted; write it without encryption"
  const beginning = await read(0, BEGIN_BYTES)
  if (Buffer.from(beginning).toString("latin1").startsWith(MAGIC)) {
    return `it begins with ${MAGIC} and does not end with it, so its end is missing; copy the file again`
  }
  const other = otherKindFault(beginning, "csv")
  return other === undefined ? `it is not Parquet: it neither begins nor ends with ${MAGIC}` : `it ${other}`
}

async function* rowsOf(windows: AsyncIterable<ParquetWindow>): AsyncGenerator<readonly Row[], void, undefined> {
  for await (const window of windows) {
    if (!("text" in window)) {
      yield [window]
      continue
    }
    yield rowsOfWindow(window, "text")
  }
}

function faultRow(row_index: number, fault: string): UnreadableRow {
  return { row_index, line: null, offset: null, row: null, fault: `can't be read: ${fault}`, isOfFile: true }
}

function oneFault(fault: string): Omit<ParquetRows, "close"> {
  return {
    total: 1,
    async *read(start, end) {
      if (start <= 0 && end > 0) yield [faultRow(0, fault)]
    },
    async *windows() {
      yield faultRow(0, fault)
    },
  }
}

interface RowWindow {
  readonly start: number
  readonly end: number
}

/** Decoded rows are objects, many times the size of their columns. Dictionary encoding hides how large they are. */
const MAX_ROWS = 10_000
const MAX_BYTES = 32 * 1024 * 1024

/** Divides the rows from `start` to before `end` into windows. Each is inside one row group and bounded in size. */
export function* planWindows(groups: readonly GroupSize[], start: number, end: number): Generator<RowWindow> {
  let first = 0
  for (const { rows, bytes } of groups) {
    const bytesOfRow = Math.max(1, bytes / Math.max(1, rows))
    const step = Math.max(1, Math.min(MAX_ROWS, Math.floor(MAX_BYTES / bytesOfRow)))
    const last = Math.min(first + rows, end)
    for (let at = Math.max(first, start); at < last; at += step) {
      yield { start: at, end: Math.min(at + step, last) }
    }
    first += rows
  }
}
