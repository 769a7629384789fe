import { isAssayError } from "@assay/schemas/errors"
import type { Client } from "@assay/client"
import type { Purpose } from "@assay/schemas"
import type { Context } from "../../context.ts"
import type { FileAddress } from "../../file-address.ts"
import { openClient } from "../../open-client.ts"
import { sayText } from "../../output/write-text.ts"
import { createFilesetSide } from "../../transfer/fileset-side.ts"
import { asEmpty } from "../../transfer/as-empty.ts"
import type { TransferSide } from "../../transfer/transfer-side.ts"
import type { SideTools } from "./run-transfer.ts"

export interface FilesetTargetOptions {
  readonly purpose?: Purpose
  readonly dryRun?: boolean
  readonly json?: boolean
}

/** Opens a fileset to write into, made where it is missing; a dry run makes nothing and takes a missing one for empty. */
export async function openFilesetTarget(
  context: Context,
  address: FileAddress,
  { cache, pause }: SideTools,
  options: FilesetTargetOptions,
): Promise<TransferSide> {
  const client = openClient(context)
  const side = createFilesetSide({ client, address, cache, pause, onSkip: ignore })
  if (await exists(client, address, context.signal)) return side
  if (options.dryRun === true) return asEmpty(side)
  const { workspace, fileset } = address
  const { purpose = "generic" } = options
  await client.filesets
    .create(workspace, { name: fileset, purpose }, { signal: context.signal })
    .catch((error: unknown) => {
      // Another process was faster; its fileset is as good.
      if (!isAssayError(error, "already_exists")) throw error
    })
  if (options.json !== true) sayText(context.stderr, `created the fileset ${workspace}/${fileset} (${purpose})\n`)
  return side
}

async function exists(client: Client, { workspace, fileset }: FileAddress, signal: AbortSignal): Promise<boolean> {
  try {
    await client.filesets.get(workspace, fileset, { signal })
    return true
  } catch (error) {
    if (isAssayError(error, "not_found")) return false
    throw error
  }
}

/** What a target holds that can't travel is in nobody's way. */
function ignore(): void {}
