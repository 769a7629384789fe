import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { formatCsv } from "@assay/reports"
import type { LabelPage } from "@assay/schemas"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { CopyButton } from "../../../components/copy-button.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Loading } from "../../../components/loading.tsx"
import { AgreementShown } from "./agreement-shown.tsx"
import { labelForecast } from "./label-forecast.ts"
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
  const [workspace, name] = data?.fileset.split("/") ?? []
  if (error !== null) return <ErrorCard error={error} />
  if (data === undefined) return <Loading />
  return (
    <section className="card" aria-label="Results of the labels">
      <h2>Results of the labels</h2>
      <p className="forecast">{labelForecast(data)}</p>
      <LabelFindingsShown findings={data} />
      <AgreementShown report={data} />
      <p className="soft">
        Labels are kept in{" "}
        {workspace === undefined || name === undefined ? (
          <code>{data.fileset}</code>
        ) : (
          <Link to="/filesets/$workspace/$name" params={{ workspace, name }}>
            {data.fileset}
          </Link>
        )}
        , as lines of <code>labels.jsonl</code>.
      </p>
      <p className="actions">
        {workspace === undefined || name === undefined || data.labels === 0 ? null : (
          <a className="button" href={fileAddress(workspace, name)} download>
            Download labels.jsonl
          </a>
        )}
        <CopyButton
          what="the labels"
          label="Copy as CSV"
          text={async () => labelsAsCsv(await client.evaluation.jobs.labels.list(id, { metric }))}
        />
      </p>
    </section>
  )
}

/** Returns the address of the file with the labels. */
function fileAddress(workspace: string, fileset: string): string {
  const [space, set] = [workspace, fileset].map(encodeURIComponent)
  return `/apis/files/v2/workspaces/${space}/filesets/${set}/-/labels.jsonl`
}

function labelsAsCsv({ data }: LabelPage): string {
  const rows = data.map(({ task, row_index, repeat, metric, label, withdrawn, author, note, created_at }) => {
    const value = withdrawn === true ? "withdrawn" : (label ?? "unsure")
    return [task, row_index, repeat, metric, value, author, note ?? null, created_at]
  })
  return formatCsv([["task", "row", "repeat", "metric", "label", "author", "note", "created_at"], ...rows])
}
