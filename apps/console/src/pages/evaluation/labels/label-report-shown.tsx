import { useQuery } from "@tanstack/react-query"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Loading } from "../../../components/loading.tsx"
import { LabelFindingsShown } from "./label-findings-shown.tsx"

export interface LabelReportShownProps {
  readonly id: string
  readonly metric: string
}

/** Shows what the labels of a job say about one metric. */
export function LabelReportShown({ id, metric }: LabelReportShownProps): ReactElement {
  const client = useClient()
  const { data, error } = useQuery({
    queryKey: ["jobs", id, "labels", metric, "report"],
    queryFn: ({ signal }) => client.evaluation.jobs.labels.report(id, { metric }, { signal }),
  })
  if (error !== null) return <ErrorCard error={error} />
  if (data === undefined) return <Loading />
  return (
    <section className="card" aria-label="Results of the labels">
      <h2>Results of the labels</h2>
      <LabelFindingsShown findings={data} />
      <p className="soft">
        Labels are kept in <code>{data.fileset}</code>.
      </p>
    </section>
  )
}
