import { readFile, realpath, stat } from "node:fs/promises"
import { resolve, sep } from "node:path"
import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { checkNoLfsPointer, localFailure, systemCode } from "@assay/storage"

/** The folders of files that an evaluation file may name, as absolute paths. The first one is that of the evaluation file, which paths are relative to. */
type OpenFolders = readonly [string, ...string[]]

export interface BelowOptions {
  readonly folders: OpenFolders
  /** The role of the file, such as `of a program`. */
  readonly what: string
  /** At most 1 MiB. */
  readonly maxBytes: number
}

/**
 * Reads a file that an evaluation file names, as text. The evaluation file can be that of a stranger, and the text reaches models: a file outside of the
 * folders is refused, also by a link, and so is one in a hidden folder or with a hidden name, such as `.git/config` and `.env`.
 * @throws `bad_document`, `not_found`
 */
export async function readBelow(written: string, { folders, what, maxBytes }: BelowOptions): Promise<string> {
  const refused = (why: string) => new AssayError("bad_document", `The file '${printable(written)}' ${what} ${why}.`)
  try {
    const found = await realpath(resolve(folders[0], written))
    const why = await whyNotBelow(found, folders)
    if (why !== undefined) throw refused(why)
    const file = await stat(found)
    if (!file.isFile()) throw refused("is not a file; name a file")
    await checkNoLfsPointer(found)
    if (file.size > maxBytes) throw refused("is larger than 1 MiB, or all of these files are")
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(found))
  } catch (error) {
    if (error instanceof TypeError) throw refused("is not a text in UTF-8")
    if (systemCode(error) !== "ENOENT") throw localFailure(error, "read", written)
    const message = `The file '${printable(written)}' ${what} does not exist beside the evaluation file; create it, or correct the path.`
    throw new AssayError("not_found", message, { cause: error })
  }
}

/**
 * Returns why an evaluation file may not name a file: it is outside of the folders, or hidden. Undefined: it may.
 * @param found absolute path without links
 * @param isAnywhere whether it may be outside of the folders
 */
export async function whyNotBelow(
  found: string,
  folders: OpenFolders,
  isAnywhere = false,
): Promise<string | undefined> {
  const roots = await Promise.all(folders.map((folder) => realpath(folder)))
  const inside = roots.flatMap((root) => {
    const start = root.endsWith(sep) ? root : root + sep
    return found.startsWith(start) ? [found.slice(start.length)] : []
  })
  if (inside.length === 0 && isAnywhere) {
    return isHidden(found) ? `${HIDDEN}, or allow its folder with --allow-folder` : undefined
  }
  if (inside.length === 0) {
    return "is outside of the folder of the evaluation file and of its repository; copy it there, or allow its folder with --allow-folder"
  }
  return inside.every(isHidden) ? HIDDEN : undefined
}

const HIDDEN = "is hidden, and hidden files can have secrets; give it another name"

function isHidden(path: string): boolean {
  return path.split(sep).some((part) => part.startsWith("."))
}
