import { existsSync } from "node:fs"
import { AssayError } from "@assay/schemas/errors"
import { printable } from "@assay/schemas"
import { writeWholeFile } from "@assay/storage"

/** A file that an import writes. */
export interface ImportedFile {
  /** Absolute path. */
  readonly path: string
  readonly text: string | AsyncIterable<string> | Iterable<string>
}

/** @throws `output_exists` if one of the files exists */
export function checkNoFiles(paths: readonly string[], force: boolean): void {
  const existing = force ? undefined : paths.find((path) => existsSync(path))
  if (existing === undefined) return
  const message = `'${printable(existing)}' exists already; give --force to replace it, or --out for another name.`
  throw new AssayError("output_exists", message, { context: { file: existing } })
}

/**
 * Writes the files one after the other. Each appears whole or not at all. With `force`, existing files are replaced.
 * @throws `output_exists`, `local_file_failed`, or a more precise code such as `disk_full`
 */
export async function writeImportedFiles(files: readonly ImportedFile[], force: boolean): Promise<void> {
  checkNoFiles(
    files.map(({ path }) => path),
    force,
  )
  for (const { path, text } of files) await writeWholeFile(path, typeof text === "string" ? [text] : text)
}
