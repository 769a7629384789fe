import { setImmediate } from "node:timers/promises"
import type { DatasetMetadata, RowWithIssues } from "@assay/schemas"
import type { FilePath } from "@assay/storage"
import { checkRowValues } from "../checking/check-row-values.ts"
import type { SchemaRunner } from "../checking/schema-pool.ts"
import type { Row } from "../rows/row.ts"

/** The metadata whose schema for the path checks each row. */
export interface RowsPageSchemas {
  readonly metadata: DatasetMetadata
  /** Where the rows are checked. */
  readonly schemas: SchemaRunner
}

const MAX_CHARACTERS = 4 * 1024 * 1024
/** Characters of JSON that are written in a few milliseconds. */
const CHARACTERS_OF_TURN = 512 * 1024

/** Brings rows into the form of a page, until they have 4 MiB as JSON. */
export async function collectRows(rows: AsyncIterable<readonly Row[]>): Promise<readonly ShownRow[]> {
  const shown: ShownRow[] = []
  let characters = 0
  let turn = CHARACTERS_OF_TURN
  for await (const batch of rows) {
    // A row that fills a whole block took long to read, and takes as long to format.
    if (batch.length === 1) await setImmediate()
    for (const row of batch) {
      const one = showRow(row)
      characters += one.text?.length ?? 0
      if (shown.length > 0 && characters > MAX_CHARACTERS) return shown
      shown.push(one)
      if (characters < turn) continue
      turn = characters + CHARACTERS_OF_TURN
      await setImmediate()
    }
  }
  return shown
}

/** Adds the issues that the schema of the path finds. */
export async function checkShown(
  shown: readonly ShownRow[],
  path: FilePath,
  { metadata, schemas }: RowsPageSchemas,
  signal: AbortSignal | undefined,
): Promise<RowWithIssues[]> {
  const texts = shown.flatMap(({ text }) => (text === undefined ? [] : [text]))
  const found = await checkRowValues(texts, { metadata, schemas, path, signal })
  let next = 0
  return shown.map(({ row, text }) =>
    text === undefined ? row : { ...row, issues: [...row.issues, ...(found[next++] ?? [])] },
  )
}

/** A row in the form of the page. */
export interface ShownRow {
  readonly row: RowWithIssues
  /** The row as JSON; undefined if it can't be read. */
  readonly text: string | undefined
}

/** Converts a row to the form of the page, without checking it against its schema. */
function showRow(given: Row): ShownRow {
  const { row, row_index, line } = given
  if (given.fault !== null) return unreadable(row_index, line, given.fault)
  const text = jsonText(row)
  if (text === undefined) return unreadable(row_index, line, "is nested too deeply to be shown")
  return { row: { row_index, line, row, issues: [...(given.lost ?? [])] }, text }
}

function unreadable(row_index: number, line: number | null, message: string): ShownRow {
  return { row: { row_index, line, row: null, issues: [{ pointer: "", message }] }, text: undefined }
}

/** Returns undefined if `row` is nested too deeply for `JSON.stringify`. */
function jsonText(row: unknown): string | undefined {
  try {
    return JSON.stringify(row)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
