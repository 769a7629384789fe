import { existsSync } from "node:fs"
import { open, rename, rm } from "node:fs/promises"
import { dirname } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import { printable } from "@assay/schemas"
import { createFolder, localFailure } from "@assay/storage"

/** A file that an import writes. */
export interface ImportedFile {
  /** Absolute path. */
  readonly path: string
  readonly text: string | AsyncIterable<string> | Iterable<string>
}

/** @throws `already_exists` if one of the files exists */
export function checkNoFiles(paths: readonly string[], force: boolean): void {
  const existing = force ? undefined : paths.find((path) => existsSync(path))
  if (existing === undefined) return
  const message = `'${printable(existing)}' exists already; give --force to replace it, or --out for another name.`
  throw new AssayError("already_exists", message, { context: { file: existing } })
}

/**
 * Writes the files one after the other. Each appears whole or not at all. With `force`, existing files are replaced.
 * @throws `already_exists`, `local_file_failed`, or a more precise code such as `disk_full`
 */
export async function writeImportedFiles(files: readonly ImportedFile[], force: boolean): Promise<void> {
  checkNoFiles(
    files.map(({ path }) => path),
    force,
  )
  for (const file of files) await writeWhole(file)
}

async function writeWhole({ path, text }: ImportedFile): Promise<void> {
  const part = `${path}.part`
  try {
    await createFolder(dirname(path), { durable: false })
    await using file = await open(part, "w")
    for await (const piece of typeof text === "string" ? [text] : text) await file.write(piece)
  } catch (error) {
    await rm(part, { force: true })
    throw localFailure(error, "write", path)
  }
  await rename(part, path)
}
