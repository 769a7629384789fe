import { statSync } from "node:fs"
import { basename, dirname } from "node:path"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import { printable } from "@assay/schemas"
import { folderOf, localFailure, nameOf } from "@assay/storage"
import { formatFileAddress, type FileAddress } from "../file-address.ts"
import { createFilesetSide } from "../fileset/fileset-side.ts"
import { createFolderSide } from "../folder/folder-side.ts"
import type { TransferSide } from "../sides/transfer-side.ts"
import type { CopiedFields, OpenOptions, TransferLocation } from "./transfer-location.ts"

/** A side that a copy reads from. */
export interface OpenedSource {
  readonly side: TransferSide
  /** Name of the only file to copy. Absent: all files of the side. */
  readonly file?: string
  /** The source as the user writes it. */
  readonly name: string
  /** Fields for a new fileset, if the source is a fileset. */
  readonly fields?: CopiedFields
}

/** Opens a file, a folder, a fileset or a path in a fileset to read from. @throws `not_found` if there is nothing */
export async function openSource(location: TransferLocation, options: OpenOptions): Promise<OpenedSource> {
  return location.kind === "local"
    ? openLocal(location.name, location.path, options)
    : openFileset(location.address, options)
}

function openLocal(name: string, path: string, { cache, onSkip }: OpenOptions): OpenedSource {
  const isFile = isLocalFile(path)
  const side = createFolderSide({ root: isFile ? dirname(path) : path, name, cache, onSkip })
  return { side, name, ...(isFile ? { file: basename(path) } : {}) }
}

function isLocalFile(path: string): boolean {
  let stats: ReturnType<typeof statSync>
  try {
    stats = statSync(path)
  } catch (error) {
    throw localFailure(error, "read", path)
  }
  if (stats.isFile()) return true
  if (stats.isDirectory()) return false
  throw new AssayError("path_conflict", `'${printable(path)}' is neither a file nor a folder: name one of these.`)
}

async function openFileset(address: FileAddress, options: OpenOptions): Promise<OpenedSource> {
  const { cache, pause, onSkip, signal } = options
  const { workspace, fileset, path = "" } = address
  const client = options.client()
  const name = formatFileAddress(address)
  const record = await client.filesets.get(workspace, fileset, { signal })
  // Row schemas name files by path, and the other fields describe the whole fileset: a part takes over only the purpose.
  const { purpose, description, project, metadata, custom_fields } = record
  const fields = path === "" ? { purpose, description, project, metadata, custom_fields } : { purpose }
  const open = (at: FileAddress) => createFilesetSide({ client, address: at, cache, pause, onSkip })
  if (path === "") return { side: open(address), name, fields }
  if (await isFilesetFile({ workspace, fileset, path }, options)) {
    return { side: open({ ...address, path: folderOf(path) }), file: nameOf(path), name, fields }
  }
  const side = open(address)
  for await (const _file of side.list(signal)) return { side, name, fields }
  throw new AssayError("not_found", `File '${path}' not found in fileset '${workspace}/${fileset}'.`)
}

async function isFilesetFile(
  { workspace, fileset, path }: Required<FileAddress>,
  { client, signal }: OpenOptions,
): Promise<boolean> {
  if (path.endsWith("/")) return false
  try {
    await client().files.stat(workspace, fileset, path, { signal })
    return true
  } catch (error) {
    if (isAssayError(error, "not_found")) return false
    throw error
  }
}
