import { formatScore } from "@assay/reports"
import type { ReactElement } from "react"
import type { Tone } from "../../../components/badge.tsx"

export interface DifferencePlotProps {
  /** Said to those who do not see it. */
  readonly label: string
  readonly difference: number
  readonly low: number | null
  readonly high: number | null
  readonly tone: Tone
  /** The value at both ends of the axis: it is as long to the left of zero as to the right. */
  readonly reach: number
  /** The largest loss with which a job still passes; 0 draws no line. */
  readonly margin: number
}

const WIDTH = 260
const HEIGHT = 30
const MIDDLE = 15

/** Draws one paired difference around zero on the axis of its score: right is better. */
export function DifferencePlot(props: DifferencePlotProps): ReactElement {
  const { label, difference, low, high, tone, reach, margin } = props
  const x = (value: number) => WIDTH / 2 + (Math.max(-reach, Math.min(reach, value)) / reach) * (WIDTH / 2 - 8)
  return (
    <svg className="difference-plot" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <line className="grid" x1={8} x2={WIDTH - 8} y1={MIDDLE} y2={MIDDLE} />
      <line className="zero" x1={x(0)} x2={x(0)} y1={2} y2={HEIGHT - 2} />
      {margin > 0 ? <line className="limit" x1={x(-margin)} x2={x(-margin)} y1={2} y2={HEIGHT - 2} /> : null}
      <g className={`forest ${tone}`}>
        {low === null || high === null ? null : (
          <path d={`M${x(low)} ${MIDDLE - 5}v10M${x(low)} ${MIDDLE}H${x(high)}M${x(high)} ${MIDDLE - 5}v10`} />
        )}
        <circle cx={x(difference)} cy={MIDDLE} r={4.5} />
      </g>
    </svg>
  )
}

/** Renders the ends of the axis in numbers. */
export function AxisEnds({ reach, unit }: { readonly reach: number; readonly unit: string }): ReactElement {
  return (
    <span className="axis-ends soft">
      <span>
        {formatScore(reach)}
        {unit} worse
      </span>
      <span>
        {formatScore(reach)}
        {unit} better
      </span>
    </span>
  )
}
