import { formatRecord, formatWorkspaces } from "@assay/reports/terminal"
import { printable } from "@assay/schemas"
import type { Context } from "../../context.ts"
import { openClient } from "../../open-client.ts"
import type { JsonOption } from "../action.ts"
import { confirm } from "../confirm.ts"
import { given } from "../option-values.ts"
import { print } from "../print.ts"

export interface CreateWorkspaceOptions extends JsonOption {
  readonly description?: string
}

/** Runs `assay workspace create <name>`. */
export async function createWorkspace(context: Context, name: string, options: CreateWorkspaceOptions): Promise<void> {
  const body = { name, ...given({ description: options.description }) }
  const record = await openClient(context).workspaces.create(body, { signal: context.signal })
  await print(context, options, record, () => `created ${record.name}\n`)
}

/** Runs `assay workspace list`. */
export async function listWorkspaces(context: Context, options: JsonOption): Promise<void> {
  const data = await Array.fromAsync(openClient(context).workspaces.list({ signal: context.signal }))
  await print(context, options, { data }, (_result, layout) => formatWorkspaces(data, layout))
}

/** Runs `assay workspace get <name>`. */
export async function getWorkspace(context: Context, name: string, options: JsonOption): Promise<void> {
  const record = await openClient(context).workspaces.get(name, { signal: context.signal })
  await print(context, options, record, formatRecord)
}

export interface DeleteWorkspaceOptions extends JsonOption {
  readonly cascade?: boolean
  readonly yes?: boolean
}

/** Runs `assay workspace delete <name>`. */
export async function deleteWorkspace(context: Context, name: string, options: DeleteWorkspaceOptions): Promise<void> {
  const cascade = options.cascade === true
  const what = cascade ? " with all its filesets, files and secrets" : ""
  await confirm(context, `Delete the workspace ${printable(name)}${what}?`, options.yes)
  const { signal } = context
  const record = await openClient(context).workspaces.remove(name, { signal, ...(cascade ? { cascade } : {}) })
  await print(context, options, record, () => `deleted ${record.name}\n`)
}
