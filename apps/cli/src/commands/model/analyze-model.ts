import { statSync } from "node:fs"
import { basename, resolve } from "node:path"
import { analyzeCheckpoint, type AnalyzeCheckpointOptions } from "@assay/contents"
import { AssayError } from "@assay/schemas/errors"
import { formatModelSpec } from "@assay/reports/terminal/models"
import { localFailure } from "@assay/storage/paths"
import type { Context } from "../../context.ts"
import { parseFilesetAddress } from "../../file-address.ts"
import { openFilesetStorage } from "@assay/transfer/fileset-storage"
import { openFolderStorage } from "@assay/storage"
import { isFolderName } from "../../is-folder-name.ts"
import { openClient } from "../../open-client.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"

/** `assay model analyze <checkpoint>` */
export async function analyzeModel(context: Context, checkpoint: string, options: JsonOption): Promise<void> {
  const { signal } = context
  const { spec, warnings } = await analyzeCheckpoint({ ...(await openCheckpoint(context, checkpoint)), signal })
  await print(context, options, { ...spec, warnings }, () => formatModelSpec(spec, warnings))
}

async function openCheckpoint(context: Context, written: string): Promise<AnalyzeCheckpointOptions> {
  if (isFolderName(written)) {
    const folder = resolve(context.cwd, written)
    checkFolder(folder)
    return { storage: openFolderStorage(folder), names: [basename(folder)] }
  }
  const { workspace, fileset } = parseFilesetAddress(written, context)
  const client = openClient(context)
  const record = await client.filesets.get(workspace, fileset, { signal: context.signal })
  return { storage: openFilesetStorage(client, record), metadata: record.metadata.model, names: [record.name] }
}

/** @throws `not_found`, `path_conflict` if the path is not a folder */
function checkFolder(path: string): void {
  let isFolder: boolean
  try {
    isFolder = statSync(path).isDirectory()
  } catch (error) {
    throw localFailure(error, "read", path)
  }
  if (isFolder) return
  throw new AssayError(
    "path_conflict",
    `'${path}' is a file, and a folder is needed: name the folder that contains it.`,
  )
}
