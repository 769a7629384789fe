import { formatCount, formatScore } from "@assay/reports"
import type { Comparison } from "@assay/schemas"
import type { ReactElement } from "react"
import { Badge } from "../../../components/badge.tsx"
import { ForestPlot, type ForestRow } from "../../../plots/forest-plot.tsx"
import {
  badgeOf,
  comparedScores,
  groupByUnit,
  meaningOf,
  type ComparedScore,
  type ScoreGroup,
} from "./compared-scores.ts"
import { ComparedRows } from "./compared-rows.tsx"
import { DifferenceTable } from "./difference-table.tsx"

/** The names of axes, by the unit of their scores. */
const AXES: Readonly<Record<string, string>> = {
  share: "Scores from 0 to 1",
  ms: "Milliseconds",
  tokens: "Tokens",
  cost: "Cost",
  words: "Words",
}

/** Shows a comparison: the verdict, the differences with their intervals, and the rows that changed. */
export function ComparisonView({ comparison }: { readonly comparison: Comparison }): ReactElement {
  const { verdict, margin, warnings, changes = [] } = comparison
  const compared = comparedScores(comparison)
  return (
    <>
      <section className={`card answer ${badgeOf(verdict).tone}`}>
        <div>
          <strong>{meaningOf(comparison)}</strong>
          <p>
            Margin {formatScore(margin)}. {formatCount(comparison.changed_rows_total, "row")} changed in a score that
            decides.
          </p>
        </div>
        <Badge {...badgeOf(verdict)} />
      </section>
      {[...changes, ...warnings].map((warning) => (
        <div key={warning} className="card condition INCONCLUSIVE">
          <p dir="auto">{warning}</p>
        </div>
      ))}
      {compared.length === 0 ? null : (
        <section className="card">
          <h2>Differences</h2>
          <p className="soft">Right of the line is better than the baseline.</p>
          {groupByUnit(compared).map((group) => (
            <UnitPlot key={group.compared[0]?.name} group={group} margin={margin} />
          ))}
          <DifferenceTable compared={compared} />
        </section>
      )}
      <ComparedRows comparison={comparison} />
    </>
  )
}

function UnitPlot({ group, margin }: { readonly group: ScoreGroup; readonly margin: number }): ReactElement {
  const { unit, compared } = group
  const name = unit === undefined ? (compared[0]?.name ?? "") : (AXES[unit] ?? unit)
  const decides = compared.some(({ score }) => score.decides)
  return (
    <>
      <h3 dir="auto">{name}</h3>
      <ForestPlot
        title={`Paired differences: ${name}`}
        unit={unit === "ms" ? " ms" : ""}
        rows={compared.map(forestRow)}
        margin={decides ? margin : 0}
      />
    </>
  )
}

function forestRow({ name, score, pair }: ComparedScore): ForestRow {
  // Better is right, whichever direction of the score is better.
  const sign = score.higher_is_better ? 1 : -1
  const ends = pair.interval === null ? [] : [pair.interval.low * sign, pair.interval.high * sign]
  const [low = null, high = null] = ends.toSorted((a, b) => a - b)
  const { text, tone } = score.decides ? badgeOf(pair.verdict) : ({ text: "does not decide", tone: "PLAIN" } as const)
  return { name, difference: pair.difference * sign, low, high, tone, word: text }
}
