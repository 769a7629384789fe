import { openRows } from "@assay/contents"
import { parseLabelledPrompt, type LabelledPrompt } from "@assay/guardrails"
import { AssayError } from "@assay/schemas/errors"
import { parseFilePath, type FilePath, type Storage } from "@assay/storage"
import type { Context } from "../../context.ts"
import { openRowSource } from "../dataset/open-row-source.ts"

/** Streams the labelled prompts of a file, a folder or a fileset. @throws `rows_invalid` with the file and the row */
export async function* labelledRows(
  context: Context,
  data: string,
  limit = Infinity,
): AsyncGenerator<LabelledPrompt, void, undefined> {
  const { signal } = context
  const { storage, path, metadata, nameOf } = await openRowSource(context, data, {})
  let taken = 0
  for await (const file of rowFiles(storage, path, signal)) {
    let number = 0
    for await (const batch of openRows(storage, file, { metadata, signal })) {
      for (const row of batch) {
        number += 1
        if (row.fault !== null) {
          throw new AssayError(
            "rows_invalid",
            `${nameOf(file)}: row ${number} ${row.fault}; correct it, or leave it out.`,
          )
        }
        yield named(nameOf(file), () => parseLabelledPrompt(row.row, number))
        taken += 1
        if (taken >= limit) return
      }
    }
  }
  if (taken > 0) return
  throw new AssayError("rows_invalid", `'${data}' has no row: give prompts with the columns prompt and label.`)
}

async function* rowFiles(storage: Storage, path: string | undefined, signal: AbortSignal): AsyncIterable<FilePath> {
  const { rowFormatOf } = await import("@assay/contents")
  if (path !== undefined && rowFormatOf(path) !== undefined) {
    yield parseFilePath(path)
    return
  }
  for await (const file of storage.list({ prefix: path === undefined ? "" : `${path.replace(/\/$/, "")}/`, signal })) {
    if (rowFormatOf(file.path) !== undefined) yield file.path
  }
}

function named<T>(file: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof AssayError)) throw error
    throw new AssayError(error.code, `${file}: ${error.message}`, { cause: error })
  }
}
