import { formatInteger, formatScore } from "@assay/reports"
import type { Comparison, PairComparison, ScoreComparison } from "@assay/schemas"
import type { ReactElement } from "react"
import { Badge } from "../../../components/badge.tsx"
import { ForestPlot } from "../../../plots/forest-plot.tsx"
import { ComparedRows } from "./compared-rows.tsx"

const MEANING = {
  PASS: "No score is worse than the margin allows.",
  FAIL: "A score is worse than the margin allows.",
  INCONCLUSIVE: "More rows are needed to decide.",
} as const

interface ComparedScore {
  readonly name: string
  readonly score: ScoreComparison
  readonly pair: PairComparison
  /** Better is above zero, whichever direction of the score is better. */
  readonly sign: 1 | -1
}

/** Shows a comparison: the verdict, the differences with their intervals, and the rows that changed. */
export function ComparisonView({ comparison }: { readonly comparison: Comparison }): ReactElement {
  const { verdict, margin, warnings, changes = [], scores } = comparison
  const compared = scores.flatMap((score) =>
    score.pairs.map((pair) => ({
      name: [score.task, score.metric, ...(score.metric === score.score ? [] : [score.score])].join(" · "),
      score,
      pair,
      sign: score.higher_is_better ? (1 as const) : (-1 as const),
    })),
  )
  const rows = compared.map(({ name, pair, sign }) => {
    const ends =
      pair.interval === null ? null : [pair.interval.low * sign, pair.interval.high * sign].toSorted((a, b) => a - b)
    return {
      name,
      difference: pair.difference * sign,
      low: ends?.[0] ?? null,
      high: ends?.[1] ?? null,
      tone: pair.verdict,
      verdict: pair.verdict,
    }
  })
  return (
    <>
      <section className={`card answer ${verdict}`}>
        <div>
          <strong>{MEANING[verdict]}</strong>
          <p>
            Margin {formatScore(margin)}. {formatInteger(comparison.changed_rows_total)} rows changed.
          </p>
        </div>
        <Badge text={verdict} tone={verdict} />
      </section>
      {[...changes, ...warnings].map((warning) => (
        <div key={warning} className="card condition INCONCLUSIVE">
          <p dir="auto">{warning}</p>
        </div>
      ))}
      {rows.length === 0 ? null : (
        <section className="card">
          <h2>Differences</h2>
          <p className="soft">Right of the line is better than the baseline.</p>
          <ForestPlot title="Paired differences" rows={rows} margin={margin} />
          <DifferenceTable compared={compared} />
        </section>
      )}
      <ComparedRows comparison={comparison} />
    </>
  )
}

function DifferenceTable({ compared }: { readonly compared: readonly ComparedScore[] }): ReactElement {
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
          const { name, pair } = one
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
                <Badge text={pair.verdict} tone={pair.verdict} />
                <small>{neededText(one)}</small>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function neededText({ pair }: ComparedScore): string {
  const { verdict, rows, rows_needed: needed } = pair
  if (verdict !== "INCONCLUSIVE") return `${formatInteger(rows)} rows`
  return needed === null
    ? `${formatInteger(rows)} rows; no number of rows decides it at this margin`
    : `${formatInteger(rows)} rows; about ${formatInteger(needed)} would decide`
}

function signed(value: number): string {
  return value > 0 ? `+${formatScore(value)}` : formatScore(value)
}
