import { openRows, type Row } from "@assay/contents"
import { formatJson, formatJsonLine, formatRowLocation } from "@assay/reports/terminal"
import { AssayError } from "@assay/schemas/errors"
import { printable } from "@assay/schemas"
import { parseFilePath } from "@assay/storage"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode } from "../../exit-code.ts"
import { writeText } from "../../output/write-text.ts"
import type { JsonOption } from "../action.ts"
import { openRowSource, type MetadataOptions, type RowSource } from "./open-row-source.ts"

export interface HeadOptions extends MetadataOptions, JsonOption {
  readonly limit: number
}

/**
 * Runs `assay dataset head <file>`: prints each row as one line of JSON on stdout, and rows that can't be read on stderr. `--json` adds
 * the location of each row. Exit code 1 if the file can't be read as it is, such as in another encoding.
 */
export async function headOfDataset(context: Context, file: string, options: HeadOptions): Promise<ExitCode> {
  const source = await openRowSource(context, file, options)
  const { path } = source
  if (path === undefined) {
    const message = `'${printable(file)}' does not name a file: write it like default/reviews#train.csv or ./reviews/train.csv.`
    throw new AssayError("bad_usage", message)
  }
  const { rows, notes } = await firstRows(context, source, path, options.limit)
  const exitCode = rows.some((row) => row.fault !== null && row.isOfFile === true) ? EXIT.no : EXIT.done
  if (options.json === true) {
    const noted = notes.length === 0 ? {} : { notes }
    await writeText(context.stdout, formatJson({ data: rows.map(shown), ...noted }))
    return exitCode
  }
  for (const note of notes) await writeText(context.stderr, `${printable(`${source.nameOf(path)}: ${note}`)}\n`)
  const location = (row: Row) => formatRowLocation(source.nameOf(path), row)
  for (const row of rows) {
    if (row.fault === null) await writeText(context.stdout, formatJsonLine(row.row))
    else await writeText(context.stderr, `${location(row)} ${printable(row.fault)}\n`)
    for (const { pointer, message } of lostOf(row)) {
      await writeText(context.stderr, `${location(row)} ${printable(`${pointer} ${message}`)}\n`)
    }
  }
  return exitCode
}

/** Returns a row with its location, for `--json`. */
function shown(row: Row) {
  const { row_index, line, offset, fault } = row
  const issues = lostOf(row)
  return { row_index, line, offset, row: row.row, fault, ...(issues.length === 0 ? {} : { issues }) }
}

function lostOf(row: Row) {
  return row.fault === null ? (row.lost ?? []) : []
}

interface FirstRows {
  readonly rows: readonly Row[]
  /** Notes on the reading of the file, if it differs from the usual one for its name. */
  readonly notes: readonly string[]
}

async function firstRows({ signal }: Context, source: RowSource, path: string, wanted: number): Promise<FirstRows> {
  const { storage, metadata } = source
  const rows: Row[] = []
  let notes: readonly string[] = []
  const onForm = (form: { readonly notes: readonly string[] }) => void (notes = form.notes)
  for await (const batch of openRows(storage, parseFilePath(path), { metadata, signal, onForm })) {
    rows.push(...batch.slice(0, wanted - rows.length).map(shallow))
    if (rows.length >= wanted) break
  }
  return { rows, notes }
}

/** Replaces a row by a fault if it is nested too deeply to be written as JSON. */
function shallow(row: Row): Row {
  try {
    JSON.stringify(row.row)
    return row
  } catch (error) {
    if (error instanceof RangeError) return { ...row, row: null, fault: "is nested too deeply to be shown" }
    throw error
  }
}
