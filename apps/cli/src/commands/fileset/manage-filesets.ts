import { formatRecord } from "@assay/reports/terminal"
import {
  type CreateFileset,
  printable,
  type Purpose,
  type SignatureMode,
  type StorageConfiguration,
  type UpdateFileset,
} from "@assay/schemas"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import { parseFilesetAddress } from "@assay/transfer"
import type { Context } from "../../context.ts"
import { defaultWorkspace, openClient } from "../../open-client.ts"
import type { JsonOption } from "../action.ts"
import { confirm } from "../confirm.ts"
import { given } from "../option-values.ts"
import { writeText } from "../../output/write-text.ts"
import { print } from "../print.ts"
import { readJsonArgument } from "../read-json.ts"

/** Options that become fields of a fileset. */
export interface FieldOptions extends JsonOption {
  readonly purpose?: Purpose
  readonly description?: string
  readonly project?: string
  readonly metadata?: string
  readonly customFields?: string
}

/** Reads the fields that were given. The server checks the shape of their JSON. */
async function readFields<T extends CreateFileset | UpdateFileset>(context: Context, options: FieldOptions) {
  const { description, project, purpose, metadata, customFields } = options
  const fields = {
    description,
    project,
    purpose,
    metadata: await readJsonArgument(context, "--metadata", metadata),
    custom_fields: await readJsonArgument(context, "--custom-fields", customFields),
  }
  return given(fields) as Omit<T, "name">
}

export interface CreateFilesetOptions extends FieldOptions {
  readonly storage?: string
  readonly cache?: boolean
  readonly signature?: SignatureMode
  readonly signaturePath?: string
  readonly existOk?: boolean
}

/** Runs `assay fileset create <fileset>`. */
export async function createFileset(context: Context, name: string, options: CreateFilesetOptions): Promise<void> {
  const { workspace, fileset } = parseFilesetAddress(name, defaultWorkspace(context))
  const fields = await readFields<CreateFileset>(context, options)
  const storage = (await readJsonArgument(context, "--storage", options.storage)) as StorageConfiguration | undefined
  const { cache, signature, signaturePath: signature_path } = options
  const body = { ...fields, name: fileset, ...given({ storage, cache, signature, signature_path }) }
  const { filesets } = openClient(context)
  const { signal } = context
  const { record, word } = await filesets.create(workspace, body, { signal }).then(
    (created) => ({ record: created, word: "created" }),
    async (error: unknown) => {
      if (options.existOk !== true || !isAssayError(error, "already_exists")) throw error
      return { record: await filesets.get(workspace, fileset, { signal }), word: "already there:" }
    },
  )
  await print(context, options, record, () => `${word} ${record.workspace}/${record.name} (${record.purpose})\n`)
}

/** Runs `assay fileset get <fileset>`. */
export async function getFileset(context: Context, name: string, options: JsonOption): Promise<void> {
  const { workspace, fileset } = parseFilesetAddress(name, defaultWorkspace(context))
  const call = { include: ["usage"], signal: context.signal } as const
  const record = await openClient(context).filesets.get(workspace, fileset, call)
  await print(context, options, record, formatRecord)
}

/** Runs `assay fileset update <fileset>`. */
export async function updateFileset(context: Context, name: string, options: FieldOptions): Promise<void> {
  const { workspace, fileset } = parseFilesetAddress(name, defaultWorkspace(context))
  const body = await readFields<UpdateFileset>(context, options)
  if (Object.keys(body).length === 0) {
    throw new AssayError(
      "bad_usage",
      "There is nothing to change: give at least one of --purpose, --description, --project, --metadata, --custom-fields.",
    )
  }
  const record = await openClient(context).filesets.update(workspace, fileset, body, { signal: context.signal })
  await print(context, options, record, () => `updated ${workspace}/${fileset}\n`)
}

/** Runs `assay fileset rename <fileset> <name>`. */
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
  readonly permanent?: boolean
  readonly yes?: boolean
}

/** Runs `assay fileset delete <fileset>`. */
export async function deleteFileset(context: Context, name: string, options: DeleteFilesetOptions): Promise<void> {
  const { workspace, fileset } = parseFilesetAddress(name, defaultWorkspace(context))
  const { permanent, yes } = options
  const { signal, stderr } = context
  const end = permanent === true ? " for good" : ""
  await confirm(context, `Delete the fileset ${printable(`${workspace}/${fileset}`)} and its files${end}?`, yes)
  const record = await openClient(context).filesets.remove(workspace, fileset, { permanent, signal })
  await print(context, options, record, () => `deleted ${workspace}/${fileset}\n`)
  // Servers of earlier versions have no trash.
  const until = record.restorable_until ?? undefined
  if (until !== undefined) await writeText(stderr, `Undo until ${until}: assay trash restore ${workspace}/${fileset}\n`)
}
