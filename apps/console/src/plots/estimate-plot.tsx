import { formatScore, type LabelEstimate } from "@assay/reports"
import type { ReactElement } from "react"
import { evenRange } from "./even-range.ts"

const WIDTH = 520
const LEFT = 180
const RIGHT = 512
const ROW = 30
const TOP = 8

/** Draws means as points with their intervals on one scale. A table says the same. */
export function EstimatePlot({
  title,
  rows,
}: {
  readonly title: string
  readonly rows: readonly LabelEstimate[]
}): ReactElement {
  const ends = rows.flatMap(({ mean, interval }) => [mean, interval?.low ?? mean, interval?.high ?? mean])
  const [from, to] = evenRange(Math.min(...ends), Math.max(...ends))
  const x = (value: number) => LEFT + ((value - from) / (to - from)) * (RIGHT - LEFT)
  const bottom = TOP + rows.length * ROW
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${bottom + 22}`}
      role="img"
      aria-label={`${title}: the table below has the same numbers`}
    >
      <line className="grid" x1={LEFT} x2={RIGHT} y1={bottom} y2={bottom} />
      {rows.map(({ name, mean, interval }, index) => {
        const y = TOP + index * ROW + ROW / 2
        return (
          <g key={name} className="estimate">
            <title>{`${name}: ${formatScore(mean)}`}</title>
            <text x={0} y={y + 4}>
              {name}
            </text>
            {interval === null ? null : (
              <line x1={x(interval.low)} x2={x(interval.high)} y1={y} y2={y} strokeWidth={2} />
            )}
            <circle cx={x(mean)} cy={y} r={5} />
          </g>
        )
      })}
      <text className="soft" x={LEFT} y={bottom + 16}>
        {formatScore(from)}
      </text>
      <text className="soft" x={RIGHT} y={bottom + 16} textAnchor="end">
        {formatScore(to)}
      </text>
    </svg>
  )
}
