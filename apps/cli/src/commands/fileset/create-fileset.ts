import { isAssayError } from "@assay/schemas/errors"
import type { CreateFileset, Fileset, Purpose, StorageConfiguration } from "@assay/schemas"
import type { Context } from "../../context.ts"
import { parseFilesetAddress } from "../../file-address.ts"
import { openClient } from "../../open-client.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { readJsonArgument } from "../read-json-argument.ts"
import { readFilesetFields, type FilesetFieldOptions } from "./read-fileset-fields.ts"

export interface CreateFilesetOptions extends FilesetFieldOptions, JsonOption {
  readonly purpose: Purpose
  readonly storage?: string
  readonly cache?: boolean
  readonly existOk?: boolean
}

/** `assay fileset create <fileset>` */
export async function createFileset(context: Context, name: string, options: CreateFilesetOptions): Promise<void> {
  const { workspace, fileset } = parseFilesetAddress(name, context)
  const { purpose, storage, cache } = options
  const body: CreateFileset = {
    name: fileset,
    purpose,
    ...(await readFilesetFields(context, options)),
    ...(storage === undefined ? {} : { storage: await readStorage(context, storage) }),
    ...(cache === undefined ? {} : { cache }),
  }
  const { filesets } = openClient(context)
  const { signal } = context
  let made: { readonly record: Fileset; readonly word: string }
  try {
    made = { record: await filesets.create(workspace, body, { signal }), word: "created" }
  } catch (error) {
    if (options.existOk !== true || !isAssayError(error, "already_exists")) throw error
    made = { record: await filesets.get(workspace, fileset, { signal }), word: "already there:" }
  }
  await print(
    context,
    options,
    made.record,
    (record) => `${made.word} ${record.workspace}/${record.name} (${record.purpose})\n`,
  )
}

async function readStorage(context: Context, text: string): Promise<StorageConfiguration> {
  return (await readJsonArgument(context, "--storage", text)) as StorageConfiguration
}
