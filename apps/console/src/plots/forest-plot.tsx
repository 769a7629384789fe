import { formatScore } from "@assay/reports"
import type { ReactElement } from "react"
import type { Tone } from "../components/badge.tsx"

export interface ForestRow {
  readonly name: string
  readonly difference: number
  readonly low: number | null
  readonly high: number | null
  readonly tone: Tone
  /** The word for what was decided. */
  readonly word: string
}

export interface ForestPlotProps {
  readonly title: string
  /** Rows of one unit. */
  readonly rows: readonly ForestRow[]
  /** Stands behind the numbers of the axis. */
  readonly unit: string
  /** The largest loss with which a job still passes. */
  readonly margin: number
}

const WIDTH = 720
const LEFT = 240
const RIGHT = 590
const ROW = 30
const TOP = 26

/** Draws paired differences as points with their intervals around zero, with the margin as a line. A table says the same. */
export function ForestPlot({ title, rows, unit, margin }: ForestPlotProps): ReactElement {
  const values = rows.flatMap(({ difference, low, high }) => [difference, low ?? 0, high ?? 0]).map(Math.abs)
  const reach = (Math.max(margin, ...values) || 1) * 1.08
  const x = (value: number) => LEFT + ((value + reach) / (2 * reach)) * (RIGHT - LEFT)
  const bottom = TOP + rows.length * ROW
  return (
    <div className="plot-scroll" role="group" aria-label={title} tabIndex={0}>
      <svg
        className="forest-plot"
        viewBox={`0 0 ${WIDTH} ${bottom + 26}`}
        role="img"
        aria-label={`${title}: the table below has the same numbers`}
      >
        <line className="grid" x1={x(0)} x2={x(0)} y1={TOP - 6} y2={bottom} />
        <text className="soft" x={x(0)} y={TOP - 12} textAnchor="middle">
          no difference
        </text>
        {margin > 0 ? <line className="limit" x1={x(-margin)} x2={x(-margin)} y1={TOP - 6} y2={bottom} /> : null}
        {rows.map(({ name, difference, low, high, tone, word }, index) => {
          const y = TOP + index * ROW + ROW / 2
          return (
            <g key={name} className={`forest ${tone}`}>
              <title>{`${name}: ${formatScore(difference)}, between ${formatScore(low)} and ${formatScore(high)}, ${word}`}</title>
              <text x={0} y={y + 4}>
                {name.length > 34 ? `${name.slice(0, 33)}…` : name}
              </text>
              {low === null || high === null ? null : (
                <line x1={x(low)} x2={x(high)} y1={y} y2={y} strokeWidth={5} strokeOpacity={0.35} />
              )}
              <circle cx={x(difference)} cy={y} r={5} />
              <text className="verdict" x={RIGHT + 14} y={y + 4}>
                {word}
              </text>
            </g>
          )
        })}
        <text className="soft" x={LEFT} y={bottom + 18}>
          {formatScore(reach)}
          {unit} worse
        </text>
        <text className="soft" x={RIGHT} y={bottom + 18} textAnchor="end">
          {formatScore(reach)}
          {unit} better
        </text>
      </svg>
    </div>
  )
}
