import type { Context } from "../../context.ts"
import { openClient } from "../../open-client.ts"
import { formatRecord } from "../../output/format-record.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"

/** `assay workspace get <name>` */
export async function getWorkspace(context: Context, name: string, options: JsonOption): Promise<void> {
  await print(
    context,
    options,
    await openClient(context).workspaces.get(name, { signal: context.signal }),
    formatRecord,
  )
}
