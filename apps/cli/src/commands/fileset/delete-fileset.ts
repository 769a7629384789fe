import type { Context } from "../../context.ts"
import { parseFilesetAddress } from "../../file-address.ts"
import { openClient } from "../../open-client.ts"
import { printable } from "../../output/printable.ts"
import type { JsonOption } from "../action.ts"
import { confirm } from "../confirm.ts"
import { print } from "../print.ts"

export interface DeleteFilesetOptions extends JsonOption {
  readonly yes?: boolean
}

/** `assay fileset delete <fileset>` */
export async function deleteFileset(context: Context, name: string, options: DeleteFilesetOptions): Promise<void> {
  const { workspace, fileset } = parseFilesetAddress(name, context)
  await confirm(context, `Delete the fileset ${printable(`${workspace}/${fileset}`)} and its files?`, options.yes)
  const record = await openClient(context).filesets.remove(workspace, fileset, { signal: context.signal })
  await print(context, options, record, () => `deleted ${workspace}/${fileset}\n`)
}
