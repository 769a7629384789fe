import { existsSync } from "node:fs"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import type { Client } from "@assay/client"
import type { Fileset } from "@assay/schemas"
import { createFolder, localFailure, STORAGE_CAPABILITIES } from "@assay/storage"
import type { FileAddress } from "../file-address.ts"
import { createFilesetSide } from "../fileset/fileset-side.ts"
import { createFolderSide } from "../folder/folder-side.ts"
import { emptySide } from "../sides/side-views.ts"
import type { TransferSide } from "../sides/transfer-side.ts"
import type { CopiedFields, OpenOptions, TransferLocation } from "./transfer-location.ts"

/**
 * Opens a folder or a fileset to write to. Creates it if it does not exist; in a dry run, a missing target counts as empty.
 * @throws `method_not_allowed` in a dry run if the storage of the fileset is read-only
 */
export async function openTarget(
  location: TransferLocation,
  fields: CopiedFields,
  options: OpenOptions,
): Promise<TransferSide> {
  return location.kind === "local"
    ? openFolder(location.name, location.path, options)
    : openFileset(location.address, fields, options)
}

async function openFolder(name: string, root: string, { cache, dryRun }: OpenOptions): Promise<TransferSide> {
  const side = createFolderSide({ root, name, cache, onSkip: ignore })
  if (dryRun) return existsSync(root) ? side : emptySide(side)
  try {
    await createFolder(root, { durable: false })
  } catch (error) {
    throw localFailure(error, "write", root)
  }
  return side
}

async function openFileset(address: FileAddress, fields: CopiedFields, options: OpenOptions): Promise<TransferSide> {
  const { cache, pause, dryRun, checkRowsOf, onCreated, signal } = options
  const { workspace, fileset: name } = address
  const client = options.client()
  const side = { client, address, cache, pause, onSkip: ignore }
  const record = await findFileset(client, address, signal)
  if (record !== undefined) {
    if (!dryRun) return createFilesetSide(side)
    checkWritable(record)
    const { dataset } = record.metadata
    return createFilesetSide({ ...side, checkRows: dataset?.enforce === "reject" ? checkRowsOf(dataset) : undefined })
  }
  if (dryRun) return emptySide(createFilesetSide(side))
  const { purpose = fields.purpose ?? "generic" } = options
  await client.filesets.create(workspace, { ...fields, name, purpose }, { signal }).catch((error: unknown) => {
    // Another process created the fileset in the meantime.
    if (!isAssayError(error, "already_exists")) throw error
  })
  onCreated({ workspace, name, purpose })
  return createFilesetSide(side)
}

async function findFileset(
  client: Client,
  { workspace, fileset }: FileAddress,
  signal: AbortSignal,
): Promise<Fileset | undefined> {
  try {
    return await client.filesets.get(workspace, fileset, { signal })
  } catch (error) {
    if (isAssayError(error, "not_found")) return undefined
    throw error
  }
}

function checkWritable({ workspace, name, storage }: Fileset): void {
  const type = Object.entries(STORAGE_CAPABILITIES).find(([type]) => type === storage.type)
  if (type?.[1].write !== false) return
  const message = `Fileset '${workspace}/${name}' is on ${storage.type} storage, which is read-only: nothing can be sent to it.`
  throw new AssayError("method_not_allowed", message)
}

/** Entries of a target that cannot be moved do not matter. */
function ignore(): void {}
