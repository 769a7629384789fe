import { labelEstimates, labelSentences, type LabelFindings } from "@assay/reports"
import type { ReactElement } from "react"
import { EstimatePlot } from "../../../plots/estimate-plot.tsx"
import { formatEvenScore } from "../../../numbers/even-score.ts"

/** Shows the judge alone, the people alone and the judge corrected by people, as a picture, a table and in words. */
export function LabelFindingsShown({ findings }: { readonly findings: LabelFindings }): ReactElement {
  const rows = labelEstimates(findings)
  if (rows.length === 0) return <p className="soft">No row has a score or a label yet, so there is no mean.</p>
  return (
    <>
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
                <td className="end">{formatEvenScore(mean)}</td>
                <td className="end">
                  {interval === null ? "–" : `${formatEvenScore(interval.low)} to ${formatEvenScore(interval.high)}`}
                </td>
                <td>{from}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {labelSentences(findings).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </>
  )
}
