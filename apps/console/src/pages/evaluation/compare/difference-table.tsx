import { formatCount, formatInteger, formatScore } from "@assay/reports"
import type { ReactElement } from "react"
import { Badge } from "../../../components/badge.tsx"
import { badgeOf, type ComparedScore } from "./compared-scores.ts"

/** Shows the numbers of a comparison. Scores that do not decide have no verdict. */
export function DifferenceTable({ compared }: { readonly compared: readonly ComparedScore[] }): ReactElement {
  return (
    <table>
      <thead>
        <tr>
          <th>Score</th>
          <th className="end">Baseline</th>
          <th className="end">Job</th>
          <th className="end">Difference</th>
          <th className="end">Interval</th>
          <th className="end">p</th>
          <th className="end">Better, worse</th>
          <th>Verdict</th>
        </tr>
      </thead>
      <tbody>
        {compared.map((one) => {
          const { name, score, pair } = one
          return (
            <tr key={`${name} ${pair.job}`}>
              <th>{name}</th>
              <td className="end">{formatScore(pair.baseline_mean)}</td>
              <td className="end">{formatScore(pair.mean)}</td>
              <td className="end">{signed(pair.difference)}</td>
              <td className="end">
                {pair.interval === null ? "–" : `${signed(pair.interval.low)} to ${signed(pair.interval.high)}`}
              </td>
              <td className="end" title={pair.method}>
                {formatScore(pair.p)}
              </td>
              <td className="end">
                {formatInteger(pair.improved)}, {formatInteger(pair.worsened)}
              </td>
              <td>
                {score.decides ? <Badge {...badgeOf(pair.verdict)} /> : <span>does not decide</span>}
                <small>{neededText(one)}</small>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function neededText({ score, pair }: ComparedScore): string {
  const rows = formatCount(pair.rows, "row")
  if (!score.decides || pair.verdict !== "INCONCLUSIVE") return rows
  return pair.rows_needed === null
    ? `${rows}; no number of rows decides it at this margin`
    : `${rows}; about ${formatInteger(pair.rows_needed)} would decide`
}

function signed(value: number): string {
  return value > 0 ? `+${formatScore(value)}` : formatScore(value)
}
