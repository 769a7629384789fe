import { formatCount, formatInteger, formatScore } from "@assay/reports"
import type { PairComparison } from "@assay/schemas"
import type { ReactElement, ReactNode } from "react"
import { Badge } from "../../../components/badge.tsx"
import { formatEvenScore } from "../../../numbers/even-score.ts"
import { badgeOf, reachOf, signed, unitText, type ComparedScore } from "./compared-scores.ts"
import { AxisEnds, DifferencePlot } from "./difference-plot.tsx"
import type { Flip } from "./flips.ts"

export interface ScoreTableProps {
  readonly compared: readonly ComparedScore[]
  /** All scores of the comparison. Those of one unit have one axis. */
  readonly all: readonly ComparedScore[]
  /** The words for each compared job, by id. Empty if only one job is compared. */
  readonly jobNames: ReadonlyMap<string, string>
  readonly margin: number
  /** Shows the rows that changed. */
  readonly onRows: (score: string, job: string, flip: Flip) => void
}

/** Shows scores of a comparison, with one axis for each unit. On a narrow screen, a score is a block. */
export function ScoreTable({ compared, all, jobNames, margin, onRows }: ScoreTableProps): ReactElement {
  return (
    <table className="score-table">
      <thead>
        <tr>
          <th>Score</th>
          <th className="end">Baseline</th>
          <th className="end">Job</th>
          <th>Difference, better to the right</th>
          <th>Rows</th>
          <th>Verdict</th>
        </tr>
      </thead>
      {compared.map((one) => (
        <tbody key={one.name}>
          {jobNames.size === 0 ? null : (
            <tr className="of-score">
              <th scope="rowgroup" colSpan={6} dir="auto">
                {one.name}
              </th>
            </tr>
          )}
          {one.score.pairs.map((pair) => (
            <PairRow
              key={pair.job}
              one={one}
              pair={pair}
              margin={margin}
              reach={reachOf(one, all, margin)}
              name={jobNames.size === 0 ? one.name : (jobNames.get(pair.job) ?? pair.job)}
              onRows={(flip) => onRows(one.name, pair.job, flip)}
            />
          ))}
        </tbody>
      ))}
    </table>
  )
}

interface PairRowProps {
  readonly one: ComparedScore
  readonly pair: PairComparison
  readonly margin: number
  /** The value at both ends of the axis. */
  readonly reach: number
  readonly name: string
  readonly onRows: (flip: Flip) => void
}

function PairRow({ one, pair, margin, reach, name, onRows }: PairRowProps): ReactElement {
  const { score } = one
  const unit = unitText(score)
  return (
    <tr>
      <th scope="row" dir="auto">
        {name}
      </th>
      <td className="end" data-label="Baseline">
        {formatEvenScore(pair.baseline_mean)}
        {unit}
      </td>
      <td className="end" data-label="Job">
        {formatEvenScore(pair.mean)}
        {unit}
      </td>
      <td className="plotted">
        <Difference one={one} pair={pair} margin={margin} reach={reach} />
        <AxisEnds reach={reach} unit={unit} />
      </td>
      <td data-label="Rows" className="flips">
        <RowsButton count={pair.worsened} word="worse" onPress={() => onRows("worse")} />
        <RowsButton count={pair.improved} word="better" onPress={() => onRows("better")} />
      </td>
      <td className="verdict">
        {score.decides ? <Badge {...badgeOf(pair.verdict)} /> : <span>does not decide</span>}
        <small>{neededText(one, pair)}</small>
      </td>
    </tr>
  )
}

type DifferenceProps = Pick<PairRowProps, "one" | "pair" | "margin" | "reach">

/** Draws a difference, with the same numbers in words below it. */
function Difference({ one: { name, score }, pair, margin, reach }: DifferenceProps): ReactNode {
  // Better is right, whichever direction of the score is better.
  const sign = score.higher_is_better ? 1 : -1
  const ends = pair.interval === null ? [] : [pair.interval.low * sign, pair.interval.high * sign]
  const [low = null, high = null] = ends.toSorted((a, b) => a - b)
  const between =
    pair.interval === null ? "no interval" : `${signed(pair.interval.low)} to ${signed(pair.interval.high)}`
  return (
    <>
      <DifferencePlot
        label={`Paired difference of ${name}: ${signed(pair.difference)}, ${between}`}
        difference={pair.difference * sign}
        low={low}
        high={high}
        tone={score.decides ? badgeOf(pair.verdict).tone : "PLAIN"}
        reach={reach}
        margin={score.decides ? margin : 0}
      />
      <span className="difference-text" title={`${pair.method}, p = ${formatScore(pair.p)}`}>
        <b>
          {signed(pair.difference)}
          {unitText(score)}
        </b>{" "}
        <span className="soft">
          {between}, {chanceText(pair.p)}
        </span>
      </span>
    </>
  )
}

/** Below this, further digits of a probability say nothing. The title has all of them. */
const MIN_P = 0.0001

function chanceText(p: number | null): string {
  return p !== null && p < MIN_P ? `p < ${MIN_P}` : `p ${formatScore(p)}`
}

interface RowsButtonProps {
  readonly count: number
  readonly word: "worse" | "better"
  readonly onPress: () => void
}

function RowsButton({ count, word, onPress }: RowsButtonProps): ReactElement {
  if (count === 0) return <span className="soft">0 {word}</span>
  return (
    <button type="button" className={`quiet ${word}`} onClick={onPress}>
      {formatInteger(count)} {word}
    </button>
  )
}

function neededText({ score }: ComparedScore, pair: PairComparison): string {
  const rows = formatCount(pair.rows, "row")
  if (!score.decides || pair.verdict !== "INCONCLUSIVE") return rows
  return pair.rows_needed === null
    ? `${rows}; no number of rows decides it at this margin`
    : `${rows}; about ${formatInteger(pair.rows_needed)} would decide`
}
