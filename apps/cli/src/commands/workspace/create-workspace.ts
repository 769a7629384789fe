import type { Context } from "../../context.ts"
import { openClient } from "../../open-client.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"

export interface CreateWorkspaceOptions extends JsonOption {
  readonly description?: string
}

/** `assay workspace create <name>` */
export async function createWorkspace(context: Context, name: string, options: CreateWorkspaceOptions): Promise<void> {
  const { description } = options
  const body = { name, ...(description === undefined ? {} : { description }) }
  const record = await openClient(context).workspaces.create(body, { signal: context.signal })
  await print(context, options, record, () => `created ${record.name}\n`)
}
