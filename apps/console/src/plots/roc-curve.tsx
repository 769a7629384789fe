import { formatShare } from "@assay/reports"
import type { ReactElement } from "react"

export interface RocPoint {
  readonly false_block: number
  readonly recall: number
}

export interface RocCurveProps {
  readonly name: string
  readonly points: readonly RocPoint[]
  /** The point that is marked. */
  readonly marked: RocPoint | undefined
}

const SIZE = 300
const START = 40
const END = 282

/** Draws the share of unsafe prompts caught against the share of safe prompts blocked at every threshold. */
export function RocCurve({ name, points, marked }: RocCurveProps): ReactElement {
  const at = (share: number) => START + Math.max(0, Math.min(1, share)) * (END - START)
  const up = (share: number) => SIZE - at(share)
  const path = points.map(
    ({ false_block, recall }, index) =>
      `${index === 0 ? "M" : "L"}${at(false_block).toFixed(1)} ${up(recall).toFixed(1)}`,
  )
  return (
    <svg
      viewBox={`0 0 ${SIZE} ${SIZE}`}
      role="img"
      aria-label={`Caught against blocked at every threshold of ${name}`}
      className="roc"
    >
      {[0, 0.5, 1].map((tick) => (
        <g key={tick}>
          <line className="grid" x1={at(tick)} x2={at(tick)} y1={up(1)} y2={up(0)} />
          <line className="grid" x1={START} x2={END} y1={up(tick)} y2={up(tick)} />
          <text className="soft" x={at(tick)} y={SIZE - 24} textAnchor="middle">
            {formatShare(tick)}
          </text>
          <text className="soft" x={START - 5} y={up(tick) + 4} textAnchor="end">
            {formatShare(tick)}
          </text>
        </g>
      ))}
      <path className="curve" d={path.join(" ")} strokeWidth="2.5" />
      {marked === undefined ? null : (
        <circle className="marked" cx={at(marked.false_block)} cy={up(marked.recall)} r="6" />
      )}
      <text className="soft" x={(START + END) / 2} y={SIZE - 6} textAnchor="middle">
        safe prompts blocked
      </text>
    </svg>
  )
}
