import { AssayError } from "@assay/schemas/errors"
import type { Purpose, UpdateFileset } from "@assay/schemas"
import type { Context } from "../../context.ts"
import { parseFilesetAddress } from "../../file-address.ts"
import { openClient } from "../../open-client.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { readFilesetFields, type FilesetFieldOptions } from "./read-fileset-fields.ts"

export interface UpdateFilesetOptions extends FilesetFieldOptions, JsonOption {
  readonly purpose?: Purpose
}

/** `assay fileset update <fileset>` */
export async function updateFileset(context: Context, name: string, options: UpdateFilesetOptions): Promise<void> {
  const { workspace, fileset } = parseFilesetAddress(name, context)
  const { purpose } = options
  const body: UpdateFileset = {
    ...(await readFilesetFields(context, options)),
    ...(purpose === undefined ? {} : { purpose }),
  }
  if (Object.keys(body).length === 0) {
    throw new AssayError(
      "bad_usage",
      "Nothing to change was given: name at least one of --purpose, --description, --project, --metadata, --custom-fields.",
    )
  }
  const record = await openClient(context).filesets.update(workspace, fileset, body, { signal: context.signal })
  await print(context, options, record, () => `updated ${workspace}/${fileset}\n`)
}
