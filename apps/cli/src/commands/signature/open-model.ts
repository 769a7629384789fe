import { basename, join, resolve } from "node:path"
import { openLocalCheckpoint } from "@assay/checkpoints"
import { type FilePath, type Storage, writeWholeFile } from "@assay/storage"
import { openFilesetStorage, parseFilesetAddress } from "@assay/transfer"
import type { Context } from "../../context.ts"
import { isLocal } from "../../is-folder-name.ts"
import { defaultWorkspace, openClient } from "../../open-client.ts"
import { shownPath } from "../eval/run-end.ts"

/** The files of a model, in a folder or on a server. */
export interface OpenedModel {
  readonly name: string
  readonly storage: Storage
  /** Writes a file beside the others, and returns where it is. */
  readonly write: (path: FilePath, text: string) => Promise<string>
}

/** Opens the model that a user names: a folder of this machine, or a fileset. */
export async function openModel(context: Context, written: string): Promise<OpenedModel> {
  if (isLocal(context, written)) return openFolder(context, resolve(context.cwd, written))
  const { workspace, fileset } = parseFilesetAddress(written, defaultWorkspace(context))
  const { signal } = context
  const client = openClient(context)
  const record = await client.filesets.get(workspace, fileset, { signal })
  return {
    name: record.name,
    storage: openFilesetStorage(client, record),
    async write(path, text) {
      await client.files.write(workspace, fileset, path, new TextEncoder().encode(text), { signal })
      return `${workspace}/${fileset}#${path}`
    },
  }
}

function openFolder(context: Context, folder: string): OpenedModel {
  return {
    name: basename(folder),
    storage: openLocalCheckpoint(folder).storage,
    async write(path, text) {
      const file = join(folder, path)
      await writeWholeFile(file, [text])
      return shownPath(context, file)
    },
  }
}
