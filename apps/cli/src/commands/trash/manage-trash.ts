import { formatBytes, formatCount, formatTrash } from "@assay/reports/terminal"
import { printable, type TrashEntry } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { parseFilesetAddress } from "@assay/transfer"
import type { Context } from "../../context.ts"
import { defaultWorkspace, openClient } from "../../open-client.ts"
import type { JsonOption } from "../action.ts"
import { confirm } from "../confirm.ts"
import { print } from "../print.ts"

export interface ListTrashOptions extends JsonOption {
  readonly workspace?: string
}

export interface DeleteTrashOptions extends JsonOption {
  readonly yes?: boolean
}

/** Runs `assay trash list`. */
export async function listTrash(context: Context, options: ListTrashOptions): Promise<void> {
  const { workspace = defaultWorkspace(context) } = options
  const data = await Array.fromAsync(openClient(context).trash.list(workspace, {}, { signal: context.signal }))
  await print(context, options, { data }, (_result, layout) => formatTrash(data, layout))
}

/** Runs `assay trash restore <fileset-or-job> [name]`. */
export async function restoreFromTrash(
  context: Context,
  named: string,
  name: string | undefined,
  options: JsonOption,
): Promise<void> {
  const { workspace, id, kind } = await findEntry(context, named)
  const { trash } = openClient(context)
  const { signal } = context
  const body = name === undefined ? {} : { name }
  if (kind === "job" && name === undefined) {
    const job = await trash.restoreJob(workspace, id, { signal })
    return print(context, options, job, () => `restored ${workspace}/${id}\n`)
  }
  const record = await trash.restore(workspace, id, body, { signal })
  await print(context, options, record, () => `restored ${workspace}/${record.name}\n`)
}

/** Runs `assay trash delete <fileset-or-job>`. */
export async function deleteFromTrash(context: Context, named: string, options: DeleteTrashOptions): Promise<void> {
  const { workspace, id, name, removed_at } = await findEntry(context, named)
  const what = printable(`${workspace}/${name}`)
  await confirm(context, `Delete ${what}, which was deleted at ${removed_at}, for good?`, options.yes)
  const entry = await openClient(context).trash.remove(workspace, id, { signal: context.signal })
  await print(context, options, entry, () => `deleted ${workspace}/${name} for good\n`)
}

/** Runs `assay trash empty [workspace]`. */
export async function emptyTrash(
  context: Context,
  named: string | undefined,
  options: DeleteTrashOptions,
): Promise<void> {
  const workspace = named ?? defaultWorkspace(context)
  await confirm(context, `Delete everything in the trash of ${printable(workspace)} for good?`, options.yes)
  const done = await openClient(context).trash.empty(workspace, { signal: context.signal })
  await print(
    context,
    options,
    done,
    ({ filesets, jobs, bytes }) =>
      `deleted ${formatCount(filesets, "fileset")} and ${formatCount(jobs, "job")} for good, ${formatBytes(bytes)}\n`,
  )
}

/** Finds the entry with this name that was deleted last, or with this id. @throws `not_found` */
async function findEntry(context: Context, named: string): Promise<TrashEntry> {
  const { workspace, fileset: name } = parseFilesetAddress(named, defaultWorkspace(context))
  const { trash } = openClient(context)
  const { signal } = context
  const { data } = await trash.page(workspace, { name, page_size: 1 }, { signal })
  if (data[0] !== undefined) return data[0]
  for await (const entry of trash.list(workspace, {}, { signal })) if (entry.id === name) return entry
  // Ids of jobs are given without their workspace everywhere.
  const elsewhere = named.includes("/") ? [] : (await trash.page("-", { name, page_size: 100 }, { signal })).data
  const job = elsewhere.find(({ kind }) => kind === "job")
  if (job !== undefined) return job
  const message = `The trash has no fileset or job '${workspace}/${name}': it was restored or deleted, or its time is over. \`assay trash list\` lists what it has.`
  throw new AssayError("not_found", message, { context: { workspace, fileset: name } })
}
