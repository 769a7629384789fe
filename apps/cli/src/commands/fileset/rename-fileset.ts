import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { parseFilesetAddress } from "../../file-address.ts"
import { openClient } from "../../open-client.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"

/** `assay fileset rename <fileset> <name>` */
export async function renameFileset(context: Context, from: string, to: string, options: JsonOption): Promise<void> {
  const { workspace, fileset } = parseFilesetAddress(from, context)
  const target = parseFilesetAddress(to.includes("/") ? to : `${workspace}/${to}`, context)
  if (target.workspace !== workspace) {
    const message = `A fileset stays in its workspace: '${workspace}/${fileset}' can't become '${to}'. Copy it there with \`assay cp\`.`
    throw new AssayError("bad_usage", message)
  }
  const { filesets } = openClient(context)
  const record = await filesets.update(workspace, fileset, { name: target.fileset }, { signal: context.signal })
  await print(context, options, record, () => `renamed ${workspace}/${fileset} to ${workspace}/${record.name}\n`)
}
