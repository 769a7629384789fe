import { formatCount } from "@assay/reports"
import type { LaunchBody } from "@assay/schemas"
import { useQueries } from "@tanstack/react-query"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { datasetsOf } from "./datasets-of.ts"

/** Says how many rows a definition reads and how many requests that is at least, as far as it can be known before. */
export function LaunchEstimate({ body }: { readonly body: LaunchBody }): ReactElement | null {
  const client = useClient()
  const tasks = datasetsOf(body)
  const totals = useQueries({
    queries: tasks.map(({ workspace, fileset, path }) => ({
      queryKey: ["rows", workspace, fileset, path, "total"],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await client.rows.page(workspace, fileset, { path, limit: 1 }, { signal })).total,
      retry: false,
      staleTime: 30_000,
    })),
  })
  if (tasks.length === 0) return null
  const known = tasks.map(({ limit, repeats }, index) => {
    const total = totals[index]?.data
    return total === undefined ? undefined : Math.min(total, limit ?? total) * repeats
  })
  if (known.some((count) => count === undefined)) {
    return <p className="soft">The rows of the dataset can't be counted yet: the launch checks say why.</p>
  }
  const sum = known.reduce<number>((all, count) => all + (count ?? 0), 0)
  const isAsked = typeof body.target !== "string" && body.target.type === "model"
  return (
    <p className="estimate">
      <b>{formatCount(sum, "row")}</b>
      {isAsked ? `, ${formatCount(sum, "request")} to the model` : ", no request to a model"}, and those of judges.
    </p>
  )
}
