import { formatScore, labelEstimates, labelSentences } from "@assay/reports"
import { useQuery } from "@tanstack/react-query"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Loading } from "../../../components/loading.tsx"
import { EstimatePlot } from "../../../plots/estimate-plot.tsx"

export interface LabelReportShownProps {
  readonly id: string
  readonly metric: string
}

/** Shows the judge alone, the people alone and the judge corrected by people, as a picture, a table and in words. */
export function LabelReportShown({ id, metric }: LabelReportShownProps): ReactElement {
  const client = useClient()
  const { data, error } = useQuery({
    queryKey: ["jobs", id, "labels", metric, "report"],
    queryFn: ({ signal }) => client.evaluation.jobs.labels.report(id, { metric }, { signal }),
  })
  if (error !== null) return <ErrorCard error={error} />
  if (data === undefined) return <Loading />
  const rows = labelEstimates(data)
  return (
    <section className="card" aria-label="What the labels say">
      <h2>What the labels say</h2>
      <EstimatePlot title="Judge and people" rows={rows} />
      <div className="table-scroll">
        <table>
          <thead>
            <tr>
              <th>Mean of</th>
              <th className="end">Value</th>
              <th className="end">95 % interval</th>
              <th>From</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, mean, interval, from }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td className="end">{formatScore(mean)}</td>
                <td className="end">
                  {interval === null ? "–" : `${formatScore(interval.low)} to ${formatScore(interval.high)}`}
                </td>
                <td>{from}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {labelSentences(data).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p className="soft">
        Labels are kept in <code>{data.fileset}</code>.
      </p>
    </section>
  )
}
