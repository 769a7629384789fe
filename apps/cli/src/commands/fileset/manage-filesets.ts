import { AssayError, isAssayError } from "@assay/schemas/errors"
import type { CreateFileset, Fileset, Purpose, StorageConfiguration, UpdateFileset } from "@assay/schemas"
import { parseFilesetAddress } from "@assay/transfer/file-address"
import type { Context } from "../../context.ts"
import { defaultWorkspace, openClient } from "../../open-client.ts"
import { formatRecord } from "@assay/reports/terminal"
import { printable } from "@assay/schemas/printable"
import type { JsonOption } from "../action.ts"
import { confirm } from "../confirm.ts"
import { print } from "../print.ts"
import { readJsonArgument } from "../read-json.ts"

/** Options that become fields of a fileset. */
interface FieldOptions extends JsonOption {
  readonly description?: string
  readonly project?: string
  readonly metadata?: string
  readonly customFields?: string
}

type FilesetFields = Pick<CreateFileset & UpdateFileset, "description" | "project" | "metadata" | "custom_fields">

/** Reads the fields that were given. The server checks the shape of their JSON. */
async function readFields(context: Context, options: FieldOptions): Promise<FilesetFields> {
  const { description, project, metadata, customFields } = options
  const fields: Record<string, unknown> = {
    ...(description === undefined ? {} : { description }),
    ...(project === undefined ? {} : { project }),
    ...(metadata === undefined ? {} : { metadata: await readJsonArgument(context, "--metadata", metadata) }),
    ...(customFields === undefined
      ? {}
      : { custom_fields: await readJsonArgument(context, "--custom-fields", customFields) }),
  }
  return fields
}

export interface CreateFilesetOptions extends FieldOptions {
  readonly purpose: Purpose
  readonly storage?: string
  readonly cache?: boolean
  readonly existOk?: boolean
}

/** `assay fileset create <fileset>` */
export async function createFileset(context: Context, name: string, options: CreateFilesetOptions): Promise<void> {
  const { workspace, fileset } = parseFilesetAddress(name, defaultWorkspace(context))
  const { purpose, storage, cache } = options
  const body: CreateFileset = {
    name: fileset,
    purpose,
    ...(await readFields(context, options)),
    ...(storage === undefined ? {} : { storage: await readStorage(context, storage) }),
    ...(cache === undefined ? {} : { cache }),
  }
  const { filesets } = openClient(context)
  const { signal } = context
  let result: { readonly record: Fileset; readonly word: string }
  try {
    result = { record: await filesets.create(workspace, body, { signal }), word: "created" }
  } catch (error) {
    if (options.existOk !== true || !isAssayError(error, "already_exists")) throw error
    result = { record: await filesets.get(workspace, fileset, { signal }), word: "already there:" }
  }
  const { record, word } = result
  await print(context, options, record, () => `${word} ${record.workspace}/${record.name} (${record.purpose})\n`)
}

async function readStorage(context: Context, text: string): Promise<StorageConfiguration> {
  return (await readJsonArgument(context, "--storage", text)) as StorageConfiguration
}

/** `assay fileset get <fileset>` */
export async function getFileset(context: Context, name: string, options: JsonOption): Promise<void> {
  const { workspace, fileset } = parseFilesetAddress(name, defaultWorkspace(context))
  const record = await openClient(context).filesets.get(workspace, fileset, { signal: context.signal })
  await print(context, options, record, formatRecord)
}

export interface UpdateFilesetOptions extends FieldOptions {
  readonly purpose?: Purpose
}

/** `assay fileset update <fileset>` */
export async function updateFileset(context: Context, name: string, options: UpdateFilesetOptions): Promise<void> {
  const { workspace, fileset } = parseFilesetAddress(name, defaultWorkspace(context))
  const { purpose } = options
  const body: UpdateFileset = {
    ...(await readFields(context, options)),
    ...(purpose === undefined ? {} : { purpose }),
  }
  if (Object.keys(body).length === 0) {
    throw new AssayError(
      "bad_usage",
      "There is nothing to change: give at least one of --purpose, --description, --project, --metadata, --custom-fields.",
    )
  }
  const record = await openClient(context).filesets.update(workspace, fileset, body, { signal: context.signal })
  await print(context, options, record, () => `updated ${workspace}/${fileset}\n`)
}

/** `assay fileset rename <fileset> <name>` */
export async function renameFileset(context: Context, from: string, to: string, options: JsonOption): Promise<void> {
  const { workspace, fileset } = parseFilesetAddress(from, defaultWorkspace(context))
  const target = parseFilesetAddress(to.includes("/") ? to : `${workspace}/${to}`, defaultWorkspace(context))
  if (target.workspace !== workspace) {
    const message = `A fileset stays in its workspace: '${workspace}/${fileset}' can't become '${to}'. Copy it there with \`assay cp\`.`
    throw new AssayError("bad_usage", message)
  }
  const { filesets } = openClient(context)
  const record = await filesets.update(workspace, fileset, { name: target.fileset }, { signal: context.signal })
  await print(context, options, record, () => `renamed ${workspace}/${fileset} to ${workspace}/${record.name}\n`)
}

export interface DeleteFilesetOptions extends JsonOption {
  readonly yes?: boolean
}

/** `assay fileset delete <fileset>` */
export async function deleteFileset(context: Context, name: string, options: DeleteFilesetOptions): Promise<void> {
  const { workspace, fileset } = parseFilesetAddress(name, defaultWorkspace(context))
  await confirm(context, `Delete the fileset ${printable(`${workspace}/${fileset}`)} and its files?`, options.yes)
  const record = await openClient(context).filesets.remove(workspace, fileset, { signal: context.signal })
  await print(context, options, record, () => `deleted ${workspace}/${fileset}\n`)
}
