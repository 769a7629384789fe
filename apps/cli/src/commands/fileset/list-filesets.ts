import { formatFilesets } from "@assay/reports/terminal"
import type { FilesetSort, Purpose } from "@assay/schemas"
import type { Context } from "../../context.ts"
import { defaultWorkspace, openClient } from "../../open-client.ts"
import type { JsonOption } from "../action.ts"
import { given } from "../option-values.ts"
import { formatPageEnd, print } from "../print.ts"

export interface ListFilesetsOptions extends JsonOption {
  readonly workspace?: string
  readonly filter?: string
  readonly purpose?: Purpose
  readonly name?: string
  readonly sort?: FilesetSort
  readonly page?: number
  readonly pageSize?: number
  readonly all?: boolean
}

/** Runs `assay fileset list`. */
export async function listFilesets(context: Context, options: ListFilesetsOptions): Promise<void> {
  const { workspace = defaultWorkspace(context), sort, page, pageSize } = options
  const { filesets } = openClient(context)
  const { signal } = context
  const query = { include: ["usage"] as const, ...given({ sort, filter: joinFilters(options) }) }
  if (options.all === true) {
    const data = await Array.fromAsync(filesets.list(workspace, query, { signal }))
    return print(context, options, { data }, (_result, layout) => formatFilesets(data, layout))
  }
  const found = await filesets.page(workspace, { ...query, ...given({ page, page_size: pageSize }) }, { signal })
  const { data, pagination } = found
  const end = pagination === undefined ? "" : formatPageEnd(pagination, "filesets")
  await print(context, options, found, (_result, layout) => formatFilesets(data, layout) + end)
}

/** Leaves out the filesets that `eval run` makes of the rows of this machine: `.` follows `-` in the order of names. */
const WITHOUT_INPUTS = '(name<"eval-inputs-" OR name>="eval-inputs.")'

/** Joins all options that filter to one filter text. A single `--filter` is passed on unchanged. */
function joinFilters({ filter, purpose, name, all = false }: ListFilesetsOptions): string | undefined {
  const hidesInputs = !all && filter === undefined && name === undefined
  const added = [
    ...(hidesInputs ? [WITHOUT_INPUTS] : []),
    ...(purpose === undefined ? [] : [`purpose:${JSON.stringify(purpose)}`]),
    ...(name === undefined ? [] : [`name~${JSON.stringify(name)}`]),
  ]
  if (filter === undefined) return added.length === 0 ? undefined : added.join(" AND ")
  return added.length === 0 ? filter : [`(${filter})`, ...added].join(" AND ")
}
