import { parseFilePath, type FilePath, type Storage } from "@assay/storage"
import { rowFormatOf } from "../rows/row-format.ts"
import { openRows, type OpenRowsOptions } from "./open-rows.ts"

/** A row, or what is wrong with its text, and its location. */
export interface RowOfFile {
  readonly file: FilePath
  /** The number of the row in its file, from 1. */
  readonly number: number
  readonly row: unknown
  /** Null: `row` is the parsed row. */
  readonly fault: string | null
}

/** Streams the rows of the file `path`, of the files below the folder `path`, or of all files with rows. Skips files of other kinds. */
export async function* rowsOfFiles(
  storage: Storage,
  path: string | undefined,
  options: OpenRowsOptions,
): AsyncGenerator<RowOfFile, void, undefined> {
  for await (const file of rowFiles(storage, path, options)) {
    let number = 0
    for await (const batch of openRows(storage, file, options)) {
      for (const { row, fault } of batch) {
        number += 1
        yield { file, number, row, fault }
      }
    }
  }
}

async function* rowFiles(
  storage: Storage,
  path: string | undefined,
  { signal }: OpenRowsOptions,
): AsyncGenerator<FilePath, void, undefined> {
  if (path !== undefined && rowFormatOf(path) !== undefined) {
    yield parseFilePath(path)
    return
  }
  for await (const file of storage.list({ prefix: path === undefined ? "" : `${path.replace(/\/$/, "")}/`, signal })) {
    if (rowFormatOf(file.path) !== undefined) yield file.path
  }
}
