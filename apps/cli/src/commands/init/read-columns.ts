import { readdir } from "node:fs/promises"
import { openRows, rowFormatOf } from "@assay/contents"
import type { Columns } from "@assay/evaluation-files"
import { isJsonObject } from "@assay/json"
import { printable } from "@assay/schemas"
import { AssayError, messageOf } from "@assay/schemas/errors"
import { parseFilePath } from "@assay/storage"
import type { Context } from "../../context.ts"
import { openRowSource } from "../dataset/open-row-source.ts"

const ROWS = 20

/** Reads the columns of a file of this machine, or of a fileset of the server. @throws `bad_usage` if it has no rows */
export async function readColumns(context: Context, data: string): Promise<Columns> {
  const columns = new Map<string, unknown[]>()
  const isServed = /[:#]/.test(data) && !/^[./~]/.test(data)
  const { storage, path, metadata } = await openRowSource(
    context,
    isServed || /^[./~]/.test(data) ? data : `./${data}`,
    {},
  )
  if (path === undefined) throw new AssayError("bad_usage", `'${printable(data)}' does not name a file with rows.`)
  try {
    let left = ROWS
    for await (const batch of openRows(storage, parseFilePath(path), { metadata, signal: context.signal })) {
      for (const { row } of batch.slice(0, left)) {
        for (const [name, value] of Object.entries(isJsonObject(row) ? row : {})) {
          columns.set(name, [...(columns.get(name) ?? []), value])
        }
      }
      left -= batch.length
      if (left <= 0) break
    }
  } catch (cause) {
    throw new AssayError("bad_usage", `The rows of '${printable(data)}' can't be read: ${messageOf(cause)}`, { cause })
  }
  if (columns.size > 0) return columns
  throw new AssayError("bad_usage", `'${printable(data)}' has no rows with columns.`)
}

/** Returns the first file with rows in a folder, in the order of the names; undefined if there is none. */
export async function findRowFile(folder: string): Promise<string | undefined> {
  const names: readonly string[] = await readdir(folder).catch(() => [])
  return names
    .toSorted()
    .find((name) => rowFormatOf(name) !== undefined && !/^(?:package|tsconfig|\.)|schema\.json$/.test(name))
}
