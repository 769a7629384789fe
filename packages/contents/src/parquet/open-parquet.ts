import type { FilePath, Storage } from "@assay/storage"
import type { Row } from "../rows/row.ts"
import { openParquetFile } from "./parquet-file.ts"
import { startParquetThread } from "./parquet-thread.ts"
import { planWindows } from "./plan-windows.ts"

export interface ParquetRows {
  readonly total: number
  /** The rows from `start` to before `end`. What the file is at fault for ends them with a row that says so. */
  readonly read: (start: number, end: number) => AsyncGenerator<readonly Row[], void, undefined>
  readonly close: () => Promise<void>
}

export interface OpenParquetOptions {
  readonly signal?: AbortSignal | undefined
  /** Milliseconds that decoding may take at a time. Default 30,000. */
  readonly patience?: number | undefined
}

/**
 * Opens a Parquet file by its footer; it has to be closed. One that can't be read holds one row, which says why.
 * @throws what the storage throws, `storage_changed`, or the reason of `signal`
 */
export async function openParquet(
  storage: Storage,
  path: FilePath,
  { signal, patience }: OpenParquetOptions = {},
): Promise<ParquetRows> {
  const stored = await storage.stat(path, signal === undefined ? {} : { signal })
  const thread = startParquetThread(openParquetFile(storage, stored, signal), { signal, patience })
  const { close } = thread
  try {
    const opened = await thread.ask({ kind: "open" })
    if (opened.kind !== "opened") return { ...oneFault(opened.kind === "fault" ? opened.fault : "no footer"), close }
    const { groups } = opened
    return { total: groups.reduce((sum, group) => sum + group.rows, 0), read, close }

    async function* read(start: number, end: number): AsyncGenerator<readonly Row[], void, undefined> {
      for (const window of planWindows(groups, start, end)) {
        const answer = await thread.ask({ kind: "read", ...window })
        if (answer.kind !== "rows") {
          yield [faultRow(window.start, answer.kind === "fault" ? answer.fault : "no rows")]
          return
        }
        const values = JSON.parse(answer.text) as readonly unknown[]
        yield values.map((value, index) => toRow(value, window.start + index))
      }
    }
  } catch (error) {
    await close()
    throw error
  }
}

function toRow(value: unknown, row_index: number): Row {
  const place = { row_index, line: null, offset: null }
  return typeof value === "string" ? { ...place, row: null, fault: value } : { ...place, row: value, fault: null }
}

function faultRow(row_index: number, fault: string): Row {
  return { row_index, line: null, offset: null, row: null, fault: `can't be read: ${fault}` }
}

function oneFault(fault: string): Omit<ParquetRows, "close"> {
  return {
    total: 1,
    async *read(start, end) {
      if (start <= 0 && end > 0) yield [faultRow(0, fault)]
    },
  }
}
