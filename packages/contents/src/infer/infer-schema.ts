import { setImmediate } from "node:timers/promises"
import type { DatasetMetadata } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { type FilePath, quotePath, type Storage, type StoredFile } from "@assay/storage"
import type { CsvDialect } from "../formats/csv/csv-dialect.ts"
import { guessTypes, readField } from "../formats/csv/read-field.ts"
import type { TextForm } from "../reading/cut-rows.ts"
import { listRowFiles, openRows } from "../reading/open-rows.ts"
import type { ReadableRow, UnreadableRow } from "../rows/row.ts"
import type { TypeSet } from "../schemas/column-types.ts"
import { DIALECT_ADDRESSES } from "../schemas/compile/dialect.ts"
import type { JsonSchema } from "../schemas/json-schema.ts"
import { nearTypeOf } from "./near-types.ts"
import { schemaOfShape, createShape, observe, type Shape } from "./shape.ts"

/** Maximum number of CSV characters held in memory. Each field counts `FIELD_COST` in addition. */
const MAX_KEPT = 16 * 1024 * 1024
const FIELD_COST = 16
const FIELDS_OF_TURN = 20_000

export interface InferSchemaOptions {
  /** Maximum number of rows to read, over all files. Default 1000. */
  readonly rows?: number | undefined
  /** It says how CSV is written. Its schemas are ignored. */
  readonly metadata?: DatasetMetadata | undefined
  readonly signal?: AbortSignal | undefined
}

/** The part of one file that is read. */
interface FileReading {
  form: TextForm | undefined
  /** Rows that can't be read, and the first of them. */
  unreadable: number
  first: UnreadableRow | undefined
}

/**
 * Proposes a row schema (2020-12) from the first rows of a file, of the files below a folder, or of all files. Every
 * row that was read satisfies it in `validateRows`. Fields that all rows have are required. Strings with few, often
 * repeated values become an `enum`. `$comment` says how a file is read if that is not the usual way for its name, how many rows can't be
 * read, and where most values of a column have a narrower type.
 * @throws `invalid_request` if a file can't be read as it is, or if it has no row that can be read; `not_found`; `not_a_row_file`; what
 * the storage throws; the reason of `signal`
 */
export async function inferSchema(
  storage: Storage,
  path?: string,
  options: InferSchemaOptions = {},
): Promise<JsonSchema> {
  const { rows: wanted = 1000, metadata, signal } = options
  const shape = createShape()
  const comments: string[] = []
  let unread: AssayError | undefined
  for (const file of await listRowFiles(storage, path, signal)) {
    if (shape.count >= wanted) break
    const reading: FileReading = { form: undefined, unreadable: 0, first: undefined }
    await observeFile(
      firstRows(storage, file.path, { wanted: wanted - shape.count, metadata, signal, reading }),
      reading,
      shape,
    )
    const { form, unreadable, first } = reading
    if (first?.isOfFile === true) throw notRead(file, first)
    if (shape.count === 0) unread ??= notRead(file, first)
    const notes = [...(form?.notes ?? []), ...(first === undefined ? [] : [unreadableNote(unreadable, first)])]
    comments.push(...notes.map((note) => `${file.path}: ${note}`))
  }
  if (shape.count === 0 && unread !== undefined) throw unread
  const comment = comments.length === 0 ? {} : { $comment: comments.slice(0, MAX_COMMENTS).join("\n") }
  return { $schema: DIALECT_ADDRESSES["2020-12"], ...comment, ...schemaOfShape(shape) }
}

const MAX_COMMENTS = 100

function unreadableNote(count: number, first: UnreadableRow): string {
  return `${count} of the first rows can't be read; the first is on ${locationOf(first)}, which ${first.fault}`
}

function notRead({ path, size }: StoredFile, first: UnreadableRow | undefined): AssayError {
  const isEmpty = size === 0 ? "is empty (0 bytes)" : "has no rows"
  const why =
    first === undefined ? `${isEmpty}; write the file again` : `can't be read: ${locationOf(first)} ${first.fault}`
  return new AssayError("invalid_request", `File ${quotePath(path)} ${why}.`, { context: { path } })
}

function locationOf({ line, row_index }: UnreadableRow): string {
  return line === null ? `row ${row_index}` : `line ${line}`
}

/** Adds the rows of one file to `shape`. */
async function observeFile(rows: AsyncIterable<ReadableRow>, reading: FileReading, shape: Shape): Promise<void> {
  const records: ReadableRow[] = []
  let size = 0
  for await (const row of rows) {
    if (reading.form?.head.encoding !== "csv") {
      observe(shape, row.row)
      continue
    }
    // The types of columns are guessed from all rows, up to `MAX_KEPT`.
    records.push(row)
    for (const text of Object.values(row.row as CsvRecord)) size += FIELD_COST + text.length
    if (size > MAX_KEPT) break
  }
  if (reading.form?.head.encoding !== "csv") return
  const { decimal } = reading.form.head.dialect
  const columns = await columnsOf(records, decimal)
  for await (const record of typed(records, columns, decimal)) observe(shape, record)
  for (const { name, comment } of columns) {
    const property = shape.properties.get(name)
    if (property !== undefined && comment !== undefined) property.comment ??= comment
  }
}

interface FirstRowsOptions extends Pick<InferSchemaOptions, "metadata" | "signal"> {
  readonly wanted: number
  /** Filled while the rows are read. */
  readonly reading: FileReading
}

/** Reads the first readable rows one by one. Stops at a row that shows that the whole file can't be read as it is. */
async function* firstRows(
  storage: Storage,
  path: FilePath,
  { wanted, metadata, signal, reading }: FirstRowsOptions,
): AsyncGenerator<ReadableRow, void, undefined> {
  let count = 0
  const onForm = (form: TextForm) => void (reading.form = form)
  const csv = metadata?.csv === undefined ? {} : { csv: metadata.csv }
  for await (const batch of openRows(storage, path, { metadata: csv, signal, onForm })) {
    for (const row of batch) {
      if (row.fault !== null) {
        reading.unreadable++
        if (reading.first === undefined || row.isOfFile === true) reading.first = row
        if (row.isOfFile === true) return
        continue
      }
      yield row
      count += 1
      if (count >= wanted) return
    }
  }
}

/** A row of CSV whose fields are all text. */
type CsvRecord = Readonly<Record<string, string>>

interface Column {
  readonly name: string
  readonly types: TypeSet
  /** A remark on values of another type. */
  readonly comment: string | undefined
}

/** Guesses the types of the columns. It yields to other work in between. */
async function columnsOf(rows: readonly ReadableRow[], decimal: CsvDialect["decimal"]): Promise<readonly Column[]> {
  const columns: Column[] = []
  for (const name of Object.keys(rows[0]?.row ?? {})) {
    const texts = rows.map(({ row, line }) => ({ text: (row as CsvRecord)[name] ?? "", line }))
    const types = guessTypes(
      texts.map(({ text }) => text),
      decimal,
    )
    columns.push({ name, types, comment: types.has("string") ? nearTypeOf(texts, decimal) : undefined })
    if (columns.length % perTurn(rows.length) === 0) await setImmediate()
  }
  return columns
}

/** Converts CSV rows to the types that their columns seem to have. It yields to other work in between. */
async function* typed(
  rows: readonly ReadableRow[],
  columns: readonly Column[],
  decimal: CsvDialect["decimal"],
): AsyncGenerator<unknown, void, undefined> {
  const numbers = { kept: "value", decimal } as const
  for (const [index, { row }] of rows.entries()) {
    yield Object.fromEntries(
      columns
        .map(({ name, types }) => [name, readField((row as CsvRecord)[name] ?? "", types, numbers)] as const)
        .filter(([, value]) => value !== undefined),
    )
    if ((index + 1) % perTurn(columns.length) === 0) await setImmediate()
  }
}

/** Returns how many columns or rows of `length` fields are processed before other work may run. */
function perTurn(length: number): number {
  return Math.max(1, Math.floor(FIELDS_OF_TURN / Math.max(1, length)))
}
