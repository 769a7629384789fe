import { formatCount } from "@assay/reports/terminal"
import { printable } from "@assay/schemas"
import { formatFileAddress, parsePathAddress, removeBelow } from "@assay/transfer"
import type { Context } from "../../context.ts"
import { defaultWorkspace, openClient } from "../../open-client.ts"
import type { JsonOption } from "../action.ts"
import { confirm } from "../confirm.ts"
import { print } from "../print.ts"

export interface RmOptions extends JsonOption {
  readonly recursive?: boolean
  readonly yes?: boolean
}

/** Runs `assay rm <file...>`. */
export async function rm(context: Context, files: readonly string[], options: RmOptions): Promise<void> {
  const { signal } = context
  const addresses = files.map((file) => parsePathAddress(file, defaultWorkspace(context)))
  const names = addresses.map(formatFileAddress)
  const isRecursive = options.recursive === true
  const below = isRecursive ? " and everything below" : ""
  await confirm(context, `Delete ${printable(names.join(", "))}${below}?`, options.yes)
  const client = openClient(context)
  let deleted = 0
  for (const address of addresses) {
    if (isRecursive) {
      deleted += await removeBelow(client, address, signal)
    } else {
      await client.files.remove(address.workspace, address.fileset, address.path, { signal })
      deleted += 1
    }
  }
  await print(context, options, { deleted }, () => `deleted ${formatCount(deleted, "file")}\n`)
}
