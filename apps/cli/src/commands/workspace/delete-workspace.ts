import type { Context } from "../../context.ts"
import { openClient } from "../../open-client.ts"
import { printable } from "../../output/printable.ts"
import type { JsonOption } from "../action.ts"
import { confirm } from "../confirm.ts"
import { print } from "../print.ts"

export interface DeleteWorkspaceOptions extends JsonOption {
  readonly cascade?: boolean
  readonly yes?: boolean
}

/** `assay workspace delete <name>` */
export async function deleteWorkspace(context: Context, name: string, options: DeleteWorkspaceOptions): Promise<void> {
  const cascade = options.cascade === true
  const what = cascade ? " with all its filesets, files and secrets" : ""
  await confirm(context, `Delete the workspace ${printable(name)}${what}?`, options.yes)
  const { signal } = context
  const record = await openClient(context).workspaces.remove(name, { signal, ...(cascade ? { cascade } : {}) })
  await print(context, options, record, () => `deleted ${record.name}\n`)
}
