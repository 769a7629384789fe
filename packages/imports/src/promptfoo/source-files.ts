import { globSync, statSync } from "node:fs"
import { extname, relative, resolve } from "node:path"
import { openRows } from "@assay/contents"
import { nearestNumbers } from "@assay/json"
import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { parseYaml } from "@assay/validation"
import { readLocalText } from "@assay/storage"
import { type SourceValue, sourceValue } from "./source-value.ts"
import { openRowFile } from "../open-row-file.ts"

/** Largest file that is read whole, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024
/** Files that a pattern may name. */
const MAX_FILES = 1000
const MAX_ROWS = 100_000

/** Files that a configuration names, relative to its folder. */
export interface SourceFiles {
  /** Returns the files that a path or a pattern names, in the order of their names. @throws `not_found` at `location` */
  list(written: string, location: string): readonly string[]
  readText(path: string): Promise<string>
  readDocument(path: string): Promise<SourceValue>
  /** Reads the rows of a CSV or JSONL file, with their locations. @throws `bad_document` for a row that can't be read */
  readRows(path: string): Promise<readonly SourceValue[]>
  /** Formats a path for messages. */
  nameOf(path: string): string
}

/** Opens the files around a configuration. `folder` is absolute, and `cwd` is the folder that names in messages are relative to. */
export function openSourceFiles(folder: string, cwd: string): SourceFiles {
  const nameOf = (path: string) => printable(relative(cwd, path) || path)
  const readText = async (path: string) => {
    checkSize(path, nameOf(path))
    return readLocalText(path)
  }
  return {
    list(written, location) {
      const path = resolve(folder, written.replace(/^file:\/\//, ""))
      const isPattern = /[*?{}[\]]/.test(written)
      const found = isPattern ? globSync(path) : isFile(path) ? [path] : []
      if (found.length === 0) throw new AssayError("not_found", `${location}: '${printable(written)}' names no file.`)
      if (found.length > MAX_FILES) {
        throw new AssayError(
          "bad_document",
          `${location}: '${printable(written)}' names ${found.length} files; the limit is ${MAX_FILES}.`,
        )
      }
      return found.toSorted()
    },
    readText,
    async readDocument(path) {
      const { value, locationOf } = parseYaml(await readText(path), nameOf(path))
      return sourceValue({ value: nearestNumbers(value), locationOf })
    },
    readRows: (path) => readRowValues(path, nameOf(path)),
    nameOf,
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

function checkSize(path: string, name: string): void {
  const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
  if (size <= MAX_BYTES) return
  throw new AssayError("bad_document", `${name} has ${size} bytes; the limit is ${MAX_BYTES}.`)
}

async function readRowValues(path: string, name: string): Promise<readonly SourceValue[]> {
  const { storage, path: inside } = openRowFile(path, name)
  const rows: SourceValue[] = []
  for await (const batch of openRows(storage, inside, { numbers: "value" })) {
    for (const { row, fault, line } of batch) {
      const location = `${name}:${line ?? rows.length + 1}:1`
      if (fault !== null) throw new AssayError("bad_document", `${location}: The row ${fault}.`)
      if (rows.length >= MAX_ROWS)
        throw new AssayError("bad_document", `${location}: More than ${MAX_ROWS} tests are not imported.`)
      rows.push(sourceValue({ value: nearestNumbers(row), locationOf: () => location }))
    }
  }
  return rows
}

/** Returns the ending of a file name, without the dot and in small letters. */
export function endingOf(path: string): string {
  return extname(path).slice(1).toLowerCase()
}
