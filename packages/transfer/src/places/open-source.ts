import { statSync } from "node:fs"
import { basename, dirname, resolve } from "node:path"
import type { Fileset } from "@assay/schemas"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { formatFileAddress, type FileAddress } from "../../file-address.ts"
import { openClient } from "../../open-client.ts"
import { printable } from "../../output/printable.ts"
import { createFilesetSide } from "../../transfer/fileset-side.ts"
import { createFolderSide } from "../../transfer/folder-side.ts"
import { localFailure } from "../../transfer/local-failure.ts"
import { folderOf, nameOf } from "../../transfer/split-path.ts"
import type { TransferSide } from "../../transfer/transfer-side.ts"
import type { SideTools } from "./run-transfer.ts"
import type { Side } from "./side.ts"

/** A side to read from. */
export interface OpenedSource {
  readonly side: TransferSide
  /** The name of the one file that is meant; absent for everything that the side holds. */
  readonly file?: string
  /** How a person writes what is meant. */
  readonly name: string
  /** Fields that a new fileset gets when this one is copied into it. */
  readonly like?: CopiedFields
}

/** Fields that a fileset shares with its copy: all that is known of it but its name and its storage. */
export type CopiedFields = Partial<Pick<Fileset, "purpose" | "description" | "project" | "metadata" | "custom_fields">>

/** Opens a file, a folder, a fileset or a path in one to read from. @throws `not_found` if nothing is there */
export async function openSource(context: Context, side: Side, tools: SideTools): Promise<OpenedSource> {
  return side.kind === "local" ? openLocal(context, side.written, tools) : openFileset(context, side.address, tools)
}

function openLocal({ cwd }: Context, written: string, { cache, recorder }: SideTools): OpenedSource {
  const place = resolve(cwd, written)
  const isFile = isLocalFile(place)
  const root = isFile ? dirname(place) : place
  const side = createFolderSide({ root, name: written, cache, onSkip: recorder.skip })
  return { side, name: written, ...(isFile ? { file: basename(place) } : {}) }
}

function isLocalFile(place: string): boolean {
  let stats: ReturnType<typeof statSync>
  try {
    stats = statSync(place)
  } catch (error) {
    throw localFailure(error, "read", place)
  }
  if (stats.isFile()) return true
  if (stats.isDirectory()) return false
  throw new AssayError("path_conflict", `'${printable(place)}' is neither a file nor a folder: name one of these.`)
}

async function openFileset(context: Context, address: FileAddress, tools: SideTools): Promise<OpenedSource> {
  const { cache, pause, recorder } = tools
  const { workspace, fileset, path = "" } = address
  const { signal } = context
  const client = openClient(context)
  const name = formatFileAddress(address)
  const record = await client.filesets.get(workspace, fileset, { signal })
  // Schemas name files by their path, and fields describe the whole: a part keeps the purpose alone.
  const { purpose, description, project, metadata, custom_fields } = record
  const like = path === "" ? { purpose, description, project, metadata, custom_fields } : { purpose }
  const open = (at: FileAddress) => createFilesetSide({ client, address: at, cache, pause, onSkip: recorder.skip })
  if (path === "") return { side: open(address), name, like }
  if (await isFilesetFile(context, { workspace, fileset, path })) {
    return { side: open({ ...address, path: folderOf(path) }), file: nameOf(path), name, like }
  }
  const side = open(address)
  for await (const _file of side.list(signal)) return { side, name, like }
  throw new AssayError("not_found", `File '${path}' not found in fileset '${workspace}/${fileset}'.`)
}

async function isFilesetFile(context: Context, { workspace, fileset, path }: Required<FileAddress>): Promise<boolean> {
  if (path.endsWith("/")) return false
  try {
    await openClient(context).files.stat(workspace, fileset, path, { signal: context.signal })
    return true
  } catch (error) {
    if (isAssayError(error, "not_found")) return false
    throw error
  }
}
