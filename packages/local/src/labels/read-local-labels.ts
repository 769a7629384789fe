import { stat } from "node:fs/promises"
import { join } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import { LABELS_FILE, printable } from "@assay/schemas"
import { checkNoLfsPointer, localFailure, openRegularFile, systemCode } from "@assay/storage"
import type { JobEnvironment } from "@assay/evaluation"
import { labelStore } from "@assay/results"
import { localPath, type LocalBase } from "../open-local-dataset.ts"

type NamedLabels = Awaited<ReturnType<NonNullable<JobEnvironment["readLabels"]>>>

/**
 * Reads labels of this machine: a file, or `labels.jsonl` in a folder, which may be missing while there are no labels.
 * @throws `dataset_missing`; `invalid_request` for a line that is not a label; the error of the file system
 */
export async function readLocalLabels(written: string, base: Pick<LocalBase, "folder" | "home">): Promise<NamedLabels> {
  const absolute = localPath(written, base)
  const name = printable(written)
  try {
    const isFolder = (await stat(absolute)).isDirectory()
    const path = isFolder ? join(absolute, LABELS_FILE) : absolute
    await checkNoLfsPointer(path)
    return { name, rows: await readRows(path, isFolder ? `${name}/${LABELS_FILE}` : name, isFolder) }
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw localFailure(error, "read", written)
    const remedy = `Correct the path, or create the file: assay label add <folder with results> --labels <file>.`
    throw new AssayError("dataset_missing", `There are no labels at '${name}'.`, { cause: error, context: { remedy } })
  }
}

async function readRows(path: string, name: string, mayBeMissing: boolean): Promise<NamedLabels["rows"]> {
  try {
    await using file = await openRegularFile(path)
    return await labelStore.read(file.createReadStream({ autoClose: false }), name)
  } catch (error) {
    if (mayBeMissing && systemCode(error) === "ENOENT") return []
    throw error
  }
}
