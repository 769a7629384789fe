import pMap from "p-map"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import type { Client } from "@assay/client"
import type { FileInfo } from "@assay/schemas"
import type { Context } from "../../context.ts"
import { formatFileAddress, type FileAddress } from "@assay/transfer/file-address"
import { openClient } from "../../open-client.ts"
import { formatCount } from "@assay/reports/terminal"
import { printable } from "@assay/schemas/printable"
import type { JsonOption } from "../action.ts"
import { confirm } from "../confirm.ts"
import { print } from "../print.ts"
import { parsePathAddress } from "../../file-address.ts"

export interface RmOptions extends JsonOption {
  readonly recursive?: boolean
  readonly yes?: boolean
}

const PARALLEL = 16

/** `assay rm <file...>` */
export async function rm(context: Context, files: readonly string[], options: RmOptions): Promise<void> {
  const addresses = files.map((file) => parsePathAddress(file, context))
  const names = addresses.map(formatFileAddress)
  const below = options.recursive === true ? " and everything below" : ""
  await confirm(context, `Delete ${printable(names.join(", "))}${below}?`, options.yes)
  const client = openClient(context)
  let deleted = 0
  for (const address of addresses) {
    deleted +=
      options.recursive === true
        ? await removeBelow(client, address, context.signal)
        : await removeOne(client, address, context.signal)
  }
  await print(context, options, { deleted }, () => `deleted ${formatCount(deleted, "file")}\n`)
}

async function removeOne(
  client: Client,
  { workspace, fileset, path }: Required<FileAddress>,
  signal: AbortSignal,
): Promise<number> {
  await client.files.remove(workspace, fileset, path, { signal })
  return 1
}

/** Deletes the file with the path and all files below the folder with the path. @throws `not_found` if there is neither */
async function removeBelow(client: Client, address: Required<FileAddress>, signal: AbortSignal): Promise<number> {
  const { workspace, fileset, path } = address
  let count = 0
  const remove = async (file: FileInfo): Promise<void> => {
    try {
      await client.files.remove(workspace, fileset, file.path, { signal })
      count += 1
    } catch (error) {
      // Another process deleted the file in the meantime.
      if (!isAssayError(error, "not_found")) throw error
    }
  }
  await pMap(client.files.list(workspace, fileset, { path }, { signal }), remove, { concurrency: PARALLEL })
  if (count > 0 || path === "") return count
  throw new AssayError("not_found", `File '${path}' not found in fileset '${workspace}/${fileset}'.`)
}
