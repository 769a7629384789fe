import { formatJobs } from "@assay/reports/terminal"
import type { EvaluationJob, ListingSort } from "@assay/schemas"
import type { Context } from "../../../context.ts"
import { openClient } from "../../../open-client.ts"
import type { JsonOption } from "../../action.ts"
import { formatPageEnd, print } from "../../print.ts"

export interface ListEvaluationsOptions extends JsonOption {
  readonly local?: boolean
  readonly dataDir: string
  readonly workspace?: string
  readonly status?: string
  readonly search?: string
  readonly sort?: ListingSort
  readonly page?: number
  readonly pageSize?: number
  readonly all?: boolean
  readonly limit?: number
}

/** Runs `assay eval list`: the runs of this machine if no server is named and there are any, or the jobs of a server. */
export async function listEvaluations(context: Context, options: ListEvaluationsOptions): Promise<void> {
  const isNamed = (context.env["ASSAY_URL"] ?? "") !== ""
  if (options.local === true || (!isNamed && !asksServer(options))) {
    const { listLocalRuns } = await import("./list-local-runs.ts")
    if (await listLocalRuns(context, options)) return
  }
  return listServed(context, options)
}

/** Returns whether options are about the jobs of a server. */
function asksServer({ workspace, search, sort, page, pageSize }: ListEvaluationsOptions): boolean {
  return [workspace, search, sort, page, pageSize].some((option) => option !== undefined)
}

async function listServed(context: Context, options: ListEvaluationsOptions): Promise<void> {
  const { workspace, status, search, sort, page, pageSize, limit } = options
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
  if (options.all === true || limit !== undefined) {
    const data: EvaluationJob[] = []
    for await (const job of jobs.list(query, { signal })) {
      data.push(job)
      if (data.length === limit) break
    }
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
