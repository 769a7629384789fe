import type { EvaluationConfigBody, EvaluationJob, EvaluationTargetBody, ListingSort } from "@assay/schemas"
import type { Context } from "../../context.ts"
import { openClient } from "../../open-client.ts"
import { formatTable, type Layout, toneOf } from "@assay/reports/terminal"
import type { JsonOption } from "../action.ts"
import { formatPageEnd, print } from "../print.ts"

export interface ListEvaluationsOptions extends JsonOption {
  readonly workspace?: string
  readonly status?: string
  readonly search?: string
  readonly sort?: ListingSort
  readonly page?: number
  readonly pageSize?: number
  readonly all?: boolean
}

/** `assay eval list` */
export async function listEvaluations(context: Context, options: ListEvaluationsOptions): Promise<void> {
  const { workspace, status, search, sort, page, pageSize } = options
  const { jobs } = openClient(context).evaluation
  const { signal } = context
  const query = {
    ...(sort === undefined ? {} : { sort }),
    filter: {
      ...(workspace === undefined ? {} : { namespace: workspace }),
      ...(status === undefined ? {} : { status }),
    },
    ...(search === undefined ? {} : { search: { config: search } }),
  }
  if (options.all === true) {
    const data = await Array.fromAsync(jobs.list(query, { signal }))
    return print(context, options, { data }, (_result, layout) => formatJobs(data, layout))
  }
  const paging = { ...(page === undefined ? {} : { page }), ...(pageSize === undefined ? {} : { page_size: pageSize }) }
  const found = await jobs.page({ ...query, ...paging }, { signal })
  await print(
    context,
    options,
    found,
    ({ data, pagination }, layout) => formatJobs(data, layout) + formatPageEnd(pagination, "jobs"),
  )
}

function formatJobs(jobs: readonly EvaluationJob[], layout: Layout): string {
  if (jobs.length === 0) return "no evaluation jobs\n"
  return formatTable(
    jobs,
    [
      { heading: "JOB", value: ({ id }) => id },
      { heading: "STATUS", value: ({ status }) => status, tone: ({ status }) => toneOf(status) },
      { heading: "DONE", value: ({ status_details: { progress } }) => percent(progress), align: "right" },
      { heading: "WORKSPACE", value: ({ namespace }) => namespace },
      { heading: "TARGET", value: ({ target }) => targetName(target) },
      { heading: "CONFIG", value: ({ config }) => configName(config) },
      { heading: "CREATED", value: ({ created_at }) => created_at },
      { heading: "CONDITIONS", value: ({ conditions }) => conditions.map(({ code }) => code).join(", ") },
    ],
    layout,
  )
}

function percent(progress: number | null): string {
  return progress === null ? "–" : `${Math.floor(progress)} %`
}

function targetName({ name, model, type }: EvaluationTargetBody): string {
  return name ?? model?.api_endpoint.model_id ?? type
}

function configName({ name, type }: EvaluationConfigBody): string {
  return name ?? type
}
