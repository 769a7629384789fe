import type { DatasetMetadata, RowPage, RowWithIssues } from "@assay/schemas"
import type { FilePath, Storage } from "@assay/storage"
import type { Row } from "../rows/row.ts"
import { createRowCheckers } from "../schemas/create-row-checkers.ts"
import type { RowChecker } from "../schemas/row-checker.ts"
import { openPageRows } from "./page-rows.ts"
import type { RowIndexStore } from "./row-index.ts"
import { showRow } from "./show-row.ts"

export interface RowsPageOptions {
  /** Index of the first row. Default 0. */
  readonly offset?: number | undefined
  /** Rows at the most; fewer where they come to more than 16 MiB as JSON. Default 100. */
  readonly limit?: number | undefined
  /** Its schema for the path says what is wrong with each row. */
  readonly metadata?: DatasetMetadata | undefined
  /** Keeps where the rows stand in a file that was read once. Without it the file is read whole for each page. */
  readonly indexes?: RowIndexStore | undefined
  readonly signal?: AbortSignal | undefined
}

const MOST_CHARACTERS = 16 * 1024 * 1024

/**
 * Some rows of a file, with what is wrong with each. The first page of a version of a file counts its rows; later ones go
 * straight to theirs, unless the file is compressed.
 * @throws `not_a_row_file`, `not_found`, `storage_changed`, what the storage throws, or the reason of `signal`
 */
export async function readRowsPage(storage: Storage, path: FilePath, options: RowsPageOptions = {}): Promise<RowPage> {
  const { offset = 0, limit = 100, metadata, indexes, signal } = options
  const checker = createRowCheckers(metadata).forPath(path)
  const span = { start: offset, end: offset + limit }
  const page = await openPageRows(storage, path, { span, columns: checker?.columns, indexes, signal })
  try {
    const data = await collectRows(page.rows, checker)
    const next = offset + data.length
    return { data, total: page.total, next_offset: next < page.total ? next : null }
  } finally {
    await page.close()
  }
}

async function collectRows(
  rows: AsyncIterable<readonly Row[]>,
  checker: RowChecker | undefined,
): Promise<RowWithIssues[]> {
  const data: RowWithIssues[] = []
  let characters = 0
  for await (const batch of rows) {
    for (const row of batch) {
      const { shown, length } = showRow(row, checker)
      characters += length
      if (data.length > 0 && characters > MOST_CHARACTERS) return data
      data.push(shown)
    }
  }
  return data
}
