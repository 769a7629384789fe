import { statSync } from "node:fs"
import { resolve } from "node:path"
import { isObject } from "@assay/json"
import { rowFormatOf } from "@assay/contents"
import { isLocalPath, printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { LocatedDocument } from "@assay/validation"

/**
 * Explains `data` of the short form that is one word: it names neither a file of rows nor a fileset, which has a workspace.
 * @throws `bad_document` that says what was looked for, and what to write
 */
export function checkShortData({ value, locationOf }: LocatedDocument, folder: string): void {
  if (!isObject(value) || "config" in value) return
  const { data } = value
  // Any other form is a path, a pattern, a file of rows or a fileset, whose checks say what is missing.
  if (typeof data !== "string" || isLocalPath(data) || /[:#/\\*?]/.test(data) || rowFormatOf(data) !== undefined) return
  const path = resolve(folder, data)
  const shown = printable(data)
  throw new AssayError("bad_document", `${locationOf("/data")}: 'data': ${whyNoRows(path, shown)}`)
}

function whyNoRows(path: string, shown: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory() === true)
    return `'${shown}' is a folder beside this file: write ./${shown} for all files in it.`
  if (found !== undefined) {
    return `'${shown}' is a file, and its name does not say how its rows are written: it has to end in .csv, .tsv, .json, .jsonl or .parquet.`
  }
  return `there is no file or folder ${printable(path)}. A file is written with its ending, such as ${shown.replace(/\.\w+$/, "")}.csv, and a fileset of a server with its workspace, such as default/${shown}.`
}
