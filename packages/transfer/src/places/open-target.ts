import { AssayError, isAssayError } from "@assay/schemas/errors"
import type { Client } from "@assay/client"
import type { Fileset, Purpose } from "@assay/schemas"
import { STORAGE_CAPABILITIES } from "@assay/storage/paths"
import type { Context } from "../../context.ts"
import type { FileAddress } from "../../file-address.ts"
import { openClient } from "../../open-client.ts"
import { sayText } from "../../output/write-text.ts"
import { createFilesetSide, type CheckRows } from "../../transfer/fileset-side.ts"
import { asEmpty } from "../../transfer/as-empty.ts"
import type { TransferSide } from "../../transfer/transfer-side.ts"
import type { CopiedFields } from "./open-source.ts"
import type { SideTools } from "./run-transfer.ts"

export interface FilesetTargetOptions {
  readonly purpose?: Purpose
  readonly dryRun?: boolean
  readonly json?: boolean
  /** Of the fileset that is copied; `purpose` beats it. */
  readonly like?: CopiedFields
}

/** Opens a fileset to write into, made where it is missing; a dry run makes nothing and takes a missing one for empty. */
export async function openFilesetTarget(
  context: Context,
  address: FileAddress,
  { cache, pause }: SideTools,
  options: FilesetTargetOptions,
): Promise<TransferSide> {
  const client = openClient(context)
  const side = { client, address, cache, pause, onSkip: ignore }
  const record = await find(client, address, context.signal)
  if (record !== undefined) {
    if (options.dryRun !== true) return createFilesetSide(side)
    checkWritable(record)
    return createFilesetSide({ ...side, ...rowCheck(context, record) })
  }
  if (options.dryRun === true) return asEmpty(createFilesetSide(side))
  const { workspace, fileset } = address
  const { like = {}, purpose = like.purpose ?? "generic" } = options
  await client.filesets
    .create(workspace, { ...like, name: fileset, purpose }, { signal: context.signal })
    .catch((error: unknown) => {
      // Another process was faster; its fileset is as good.
      if (!isAssayError(error, "already_exists")) throw error
    })
  if (options.json !== true) sayText(context.stderr, `created the fileset ${workspace}/${fileset} (${purpose})\n`)
  return createFilesetSide(side)
}

async function find(
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

/** @throws `method_not_allowed` if nothing can be written to the fileset's storage */
function checkWritable({ workspace, name, storage }: Fileset): void {
  const type = Object.entries(STORAGE_CAPABILITIES).find(([type]) => type === storage.type)
  if (type?.[1].write !== false) return
  const message = `Fileset '${workspace}/${name}' lies on ${storage.type} storage, which is read-only: nothing can be sent to it.`
  throw new AssayError("method_not_allowed", message)
}

/** What holds rows against the schemas of a fileset that refuses invalid ones. */
function rowCheck(context: Context, { metadata: { dataset } }: Fileset): { readonly checkRows?: CheckRows } {
  if (dataset?.enforce !== "reject") return {}
  return {
    checkRows: async (path, file, signal) => {
      const { checkFileRows } = await import("./check-file-rows.ts")
      await checkFileRows(context, { path, file, dataset, signal })
    },
  }
}

/** What a target holds that can't travel is in nobody's way. */
function ignore(): void {}
