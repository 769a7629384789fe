import { stat } from "node:fs/promises"
import { openRows } from "@assay/contents"
import { findJsonExcess, nearestNumbers } from "@assay/json"
import { AssayError } from "@assay/schemas/errors"
import { localFailure, openRegularFile } from "@assay/storage"
import { openRowFile } from "../open-row-file.ts"

/** Bytes of one JSON value that contains all spans. Records that follow each other have no limit together. */
const MAX_JSON_BYTES = 256 * 1024 * 1024
/** Bytes of one record: a line, an element of a list, a line of CSV with its quoted lines. */
const MAX_RECORD_BYTES = 64 * 1024 * 1024
/** One line of an exporter can have all spans of a batch. */
const RECORD_LIMITS = { keys: 5_000_000, strings: 10_000_000, values: 10_000_000 }
const LIMITS = { depth: 200, parts: 50_000_000, values: 100_000_000, keys: 1_000_000 }

/** A record of a file, or the reason why it can't be read. */
export interface FileRecord {
  /** `file:line:1`. */
  readonly location: string
  readonly value: unknown
  readonly fault: string | null
}

/**
 * Reads the records of a file with traces, one after the other: JSON Lines, a list in JSON, or CSV, each also with gzip or zstd, in flat memory; and
 * one JSON object, which is read whole.
 * @param name the file as the user wrote its path
 * @throws `not_found`, `not_a_row_file`, `bad_document` for an object that is too large
 */
export async function* readTraceFile(path: string, name: string, signal: AbortSignal): AsyncGenerator<FileRecord> {
  const whole = await readWholeObject(path, name)
  if (whole !== undefined) {
    yield { location: `${name}:1:1`, value: whole.value, fault: null }
    return
  }
  const { storage, path: file } = openRowFile(path, name)
  const options = { numbers: "value", maxRowBytes: MAX_RECORD_BYTES, limits: RECORD_LIMITS, signal } as const
  for await (const batch of openRows(storage, file, options)) {
    for (const row of batch) {
      const { fault } = row
      const location = `${name}:${row.line ?? 1}:1`
      yield { location, value: fault === null && row.hasExact === true ? nearestNumbers(row.row) : row.row, fault }
    }
  }
}

/** Reads a file that is one JSON object. Returns undefined for any other file. */
async function readWholeObject(path: string, name: string): Promise<{ readonly value: unknown } | undefined> {
  try {
    if (!(await stat(path)).isFile() || !/\.json$/i.test(path)) return undefined
    await using file = await openRegularFile(path)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1024), 0, 1024, 0)
    if (!/^\uFEFF?\s*\{/.test(buffer.toString("utf8", 0, bytesRead))) return undefined
    // A larger file can still be values that follow each other.
    if ((await file.stat()).size > MAX_JSON_BYTES) return undefined
    const text = (await file.readFile("utf8")).replace(/^\uFEFF/, "")
    const excess = findJsonExcess(text, LIMITS)
    if (excess !== undefined) {
      throw new AssayError("bad_document", `${name} exceeds the limit of ${LIMITS[excess.limit]} for ${excess.limit}.`)
    }
    return parseObject(text)
  } catch (error) {
    throw localFailure(error, "read", path)
  }
}

function parseObject(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    // Several values, or not JSON: the reader of rows says where.
    return undefined
  }
}
