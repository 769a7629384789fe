import type { Context } from "../../context.ts"
import { parseFilesetAddress } from "../../file-address.ts"
import { openClient } from "../../open-client.ts"
import { formatRecord } from "../../output/format-record.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"

/** `assay fileset get <fileset>` */
export async function getFileset(context: Context, name: string, options: JsonOption): Promise<void> {
  const { workspace, fileset } = parseFilesetAddress(name, context)
  const record = await openClient(context).filesets.get(workspace, fileset, { signal: context.signal })
  await print(context, options, record, formatRecord)
}
