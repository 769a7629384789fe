import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import { localFailure, readLocalText } from "@assay/storage"

const PEM_FILE = /\.(?:pem|pub|crt|cer)$/i
/** Maximum number of files in a folder of keys. */
const MAX_FILES = 1000

/**
 * Reads files, and the files of folders that have names like PEM files. `paths` are absolute; `nameOf` names a file for messages.
 * @throws `bad_usage` for a folder without such files, or with more than 1,000; the error of the file system, with a code
 */
export async function readPemFiles(
  paths: readonly string[],
  nameOf: (path: string) => string = (path) => path,
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>()
  for (const path of paths) {
    for (const file of await filesAt(path, nameOf)) files.set(nameOf(file), await readLocalText(file))
  }
  return files
}

async function filesAt(path: string, nameOf: (path: string) => string): Promise<readonly string[]> {
  const names = await readNames(path)
  if (names === undefined) return [path]
  const found = names.filter((name) => PEM_FILE.test(name)).toSorted()
  if (found.length > 0 && found.length <= MAX_FILES) return found.map((name) => join(path, name))
  throw new AssayError(
    "bad_usage",
    `'${nameOf(path)}' has ${found.length} files that end in .pem, .pub, .crt or .cer; a folder of keys has 1 to ${MAX_FILES}.`,
  )
}

/** Undefined: it is a file. */
async function readNames(path: string): Promise<readonly string[] | undefined> {
  try {
    return (await stat(path)).isDirectory() ? await readdir(path) : undefined
  } catch (error) {
    throw localFailure(error, "read", path)
  }
}
