import { readdir, realpath } from "node:fs/promises"
import { resolve, sep } from "node:path"
import { MAX_PROGRAM_FILES } from "@assay/evaluation-files"
import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { localFailure, systemCode } from "@assay/storage"
import { readBelow } from "./read-below.ts"

/** Bytes of all files of programs of an evaluation file. */
const MAX_BYTES = 1024 * 1024
/** Folders of a program, and folders in each other. */
const MAX_FOLDERS = 1000
const MAX_DEPTH = 16

/**
 * Reads the files of programs as texts, by the paths that an evaluation file gives. A path with a slash at its end is a folder: its files are read
 * whose names are not hidden. Only files below the folder of the evaluation file are read: it can be that of a stranger, and what its programs read
 * reaches models.
 * @throws `bad_document`, `not_found`
 */
export async function readProgramFiles(paths: readonly string[], folder: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  let left = MAX_BYTES
  for (const written of paths) {
    for (const file of written.endsWith("/") ? await filesBelow(written, folder) : [written]) {
      if (texts.has(file)) continue
      const text = await readBelow(file, { folders: [folder], what: "of a program", maxBytes: left })
      left -= Buffer.byteLength(text)
      texts.set(file, text)
    }
  }
  return texts
}

/** Lists the files of a folder and those below it, with the name of the folder before. */
async function filesBelow(written: string, folder: string): Promise<readonly string[]> {
  const refused = (why: string) =>
    new AssayError("bad_document", `The folder '${printable(written)}' of a program ${why}.`)
  const found: string[] = []
  let folders = 0
  const walk = async (below: string, depth: number): Promise<void> => {
    if (depth > MAX_DEPTH) throw refused(`has more than ${MAX_DEPTH} folders in each other`)
    if (++folders > MAX_FOLDERS) throw refused(`has more than ${MAX_FOLDERS} folders`)
    const entries = await readdir(resolve(folder, below), { withFileTypes: true })
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith(".")) continue
      if (entry.isDirectory()) await walk(`${below}${entry.name}/`, depth + 1)
      else found.push(`${below}${entry.name}`)
      if (found.length > MAX_PROGRAM_FILES) throw refused(`has more than ${MAX_PROGRAM_FILES} files`)
    }
  }
  try {
    const [root, own] = await Promise.all([realpath(folder), realpath(resolve(folder, written))])
    if (own !== root && !own.startsWith(root.endsWith(sep) ? root : root + sep)) {
      throw refused("is outside of the folder of the evaluation file; copy it there")
    }
    await walk(written, 0)
  } catch (error) {
    if (systemCode(error) === "ENOENT") throw refused("does not exist beside the evaluation file; correct the path")
    throw localFailure(error, "read", written)
  }
  if (found.length === 0) throw refused("has no files")
  return found
}
