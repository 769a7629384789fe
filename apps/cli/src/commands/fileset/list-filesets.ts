import type { Fileset, FilesetPage, FilesetSort, Purpose } from "@assay/schemas"
import type { Context } from "../../context.ts"
import { defaultWorkspace, openClient } from "../../open-client.ts"
import { formatTable, type Layout } from "@assay/reports/terminal"
import type { JsonOption } from "../action.ts"
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

/** `assay fileset list` */
export async function listFilesets(context: Context, options: ListFilesetsOptions): Promise<void> {
  const { sort, page, pageSize } = options
  const { filesets } = openClient(context)
  const { signal } = context
  const workspace = options.workspace ?? defaultWorkspace(context)
  const filter = joinFilters(options)
  const query = { ...(sort === undefined ? {} : { sort }), ...(filter === undefined ? {} : { filter }) }
  if (options.all === true) {
    const data = await Array.fromAsync(filesets.list(workspace, query, { signal }))
    return print(context, options, { data }, (_result, layout) => formatFilesets(data, layout))
  }
  const paging = { ...(page === undefined ? {} : { page }), ...(pageSize === undefined ? {} : { page_size: pageSize }) }
  await print(context, options, await filesets.page(workspace, { ...query, ...paging }, { signal }), formatPage)
}

/** Joins all options that filter to one filter text. A single `--filter` is passed on unchanged. */
function joinFilters({ filter, purpose, name }: ListFilesetsOptions): string | undefined {
  const added = [
    ...(purpose === undefined ? [] : [`purpose:${JSON.stringify(purpose)}`]),
    ...(name === undefined ? [] : [`name~${JSON.stringify(name)}`]),
  ]
  if (filter === undefined) return added.length === 0 ? undefined : added.join(" AND ")
  return added.length === 0 ? filter : [`(${filter})`, ...added].join(" AND ")
}

function formatPage({ data, pagination }: FilesetPage, layout: Layout): string {
  return formatFilesets(data, layout) + (pagination === undefined ? "" : formatPageEnd(pagination, "filesets"))
}

function formatFilesets(filesets: readonly Fileset[], layout: Layout): string {
  if (filesets.length === 0) return "no filesets\n"
  return formatTable(
    filesets,
    [
      { heading: "FILESET", value: ({ workspace, name }) => `${workspace}/${name}` },
      { heading: "PURPOSE", value: ({ purpose }) => purpose },
      { heading: "STORAGE", value: ({ storage }) => storage.type },
      { heading: "CREATED", value: ({ created_at }) => created_at },
      { heading: "DESCRIPTION", value: ({ description }) => description },
    ],
    layout,
  )
}
