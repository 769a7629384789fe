import { readFile, realpath, stat } from "node:fs/promises"
import { resolve, sep } from "node:path"
import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { isFilePath, localFailure, systemCode } from "@assay/storage"

/** Bytes of all files of programs of an evaluation file. */
const MAX_BYTES = 1024 * 1024

/**
 * Reads the files of programs as texts, by the paths that an evaluation file gives. Only files below its folder are read: the file can be that of
 * a stranger, and what its programs read reaches models.
 * @throws `bad_document`, `not_found`
 */
export async function readProgramFiles(paths: readonly string[], folder: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  let left = MAX_BYTES
  for (const written of paths) {
    const bytes = await readBelow(written, folder, left)
    left -= bytes.byteLength
    texts.set(written, textOf(bytes, written))
  }
  return texts
}

async function readBelow(written: string, folder: string, left: number): Promise<Uint8Array> {
  const path = written.replace(/^(?:\.\/)+/, "")
  if (!isFilePath(path)) {
    throw refused(written, "is not a path below the folder of the evaluation file; move it there")
  }
  try {
    const [root, found] = [await realpath(folder), await realpath(resolve(folder, path))]
    if (!found.startsWith(root.endsWith(sep) ? root : root + sep)) {
      throw refused(written, "is a link that leads out of the folder of the evaluation file; copy the file there")
    }
    const { size, ...file } = await stat(found).then((one) => ({ size: one.size, isFile: one.isFile() }))
    if (!file.isFile) throw refused(written, "is not a file; name each file of the program")
    if (size > left) throw refused(written, `brings the files of programs above ${MAX_BYTES / 1024 / 1024} MiB`)
    return await readFile(found)
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw localFailure(error, "read", written)
    const message = `The file '${printable(written)}' of a program does not exist beside the evaluation file; create it, or correct the path.`
    throw new AssayError("not_found", message, { cause: error })
  }
}

function textOf(bytes: Uint8Array, written: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    throw new AssayError("bad_document", `The file '${printable(written)}' of a program is not a text in UTF-8.`, {
      cause: error,
    })
  }
}

function refused(written: string, why: string): AssayError {
  return new AssayError("bad_document", `The file '${printable(written)}' of a program ${why}.`)
}
