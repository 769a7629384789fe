import { formatShare } from "@assay/reports"
import type { ReactElement } from "react"

/** A share with its interval. A rate of nothing is null. */
export interface BoxedRate {
  readonly rate: number | null
  readonly low: number
  readonly high: number
}

export interface RateBox {
  readonly name: string
  readonly x: BoxedRate
  readonly y: BoxedRate
}

export interface RateBoxesProps {
  readonly title: string
  readonly xTitle: string
  readonly yTitle: string
  readonly boxes: readonly RateBox[]
  /** The largest rates that are allowed. Null: no limit. */
  readonly limits: { readonly x: number | null; readonly y: number | null }
  /** The box that stands out. */
  readonly chosen: string | undefined
}

const SIZE = 420
const START = 52
const END = 396
/** Ends of the scale. Both axes share one, so that a box is as wide as it is uncertain. */
const SCALES = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8]
/** Points that are nearer than this share a label. */
const NEAR = 16
/** Number of colours of boxes. */
const TONES = 6

/** Returns the class with the colour of a box. */
export function boxTone(index: number): string {
  return `tone-${index % TONES}`
}

/**
 * Draws two rates of several subjects as numbered points, each with the box of its two intervals. The lower left corner is best.
 * The numbers are the indexes of the boxes, counted from 1.
 */
export function RateBoxes({ title, xTitle, yTitle, boxes, limits, chosen }: RateBoxesProps): ReactElement {
  const drawn = boxes.map((box, index) => ({ ...box, index })).filter(({ x, y }) => x.rate !== null && y.rate !== null)
  const largest = Math.max(limits.x ?? 0, limits.y ?? 0, ...drawn.flatMap(({ x, y }) => [x.high, y.high]))
  const scale = SCALES.find((end) => end >= largest) ?? 1
  const at = (share: number) => START + Math.max(0, Math.min(1, share / scale)) * (END - START)
  const up = (share: number) => SIZE - at(share)
  const left = START
  const right = END
  const top = SIZE - END
  const bottom = SIZE - START
  const points = drawn.map((box) => ({ ...box, atX: at(box.x.rate ?? 0), atY: up(box.y.rate ?? 0) }))
  return (
    <svg viewBox={`0 0 ${SIZE} ${SIZE}`} role="img" aria-label={`${title}, with 95 % intervals`} className="rate-boxes">
      {[0, 0.25, 0.5, 0.75, 1].map((part) => (
        <g key={part}>
          <line className="grid" x1={at(part * scale)} x2={at(part * scale)} y1={top} y2={bottom} />
          <line className="grid" x1={left} x2={right} y1={up(part * scale)} y2={up(part * scale)} />
          <text className="soft" x={at(part * scale)} y={bottom + 16} textAnchor="middle">
            {formatShare(part * scale)}
          </text>
          <text className="soft" x={left - 6} y={up(part * scale) + 4} textAnchor="end">
            {formatShare(part * scale)}
          </text>
        </g>
      ))}
      <text className="soft" x={(left + right) / 2} y={SIZE - 8} textAnchor="middle">
        {xTitle}
      </text>
      <text className="soft" transform={`translate(11 ${(top + bottom) / 2}) rotate(-90)`} textAnchor="middle">
        {yTitle}
      </text>
      {limits.x === null ? null : <line className="limit" x1={at(limits.x)} x2={at(limits.x)} y1={top} y2={bottom} />}
      {limits.y === null ? null : <line className="limit" x1={left} x2={right} y1={up(limits.y)} y2={up(limits.y)} />}
      {points.map(({ name, x, y, index, atX, atY }) => (
        <g key={index} className={`rate-box ${boxTone(index)} ${name === chosen ? "chosen" : ""}`}>
          <title>{`${name}: ${xTitle} ${spanOf(x)}; ${yTitle} ${spanOf(y)}`}</title>
          <rect x={at(x.low)} y={up(y.high)} width={at(x.high) - at(x.low)} height={up(y.low) - up(y.high)} rx="3" />
          <circle cx={atX} cy={atY} r="5" />
        </g>
      ))}
      {clustersOf(points).map(({ atX, atY, indexes }) => (
        <text
          key={indexes[0]}
          x={atX > right - 60 ? atX - 9 : atX + 9}
          y={atY - 8}
          textAnchor={atX > right - 60 ? "end" : "start"}
        >
          {indexes.map((index) => index + 1).join(", ")}
        </text>
      ))}
    </svg>
  )
}

interface Point {
  readonly index: number
  readonly atX: number
  readonly atY: number
}

interface Cluster {
  readonly atX: number
  readonly atY: number
  readonly indexes: number[]
}

/** Joins points that are so near that their labels would cover each other. */
function clustersOf(points: readonly Point[]): readonly Cluster[] {
  const clusters: Cluster[] = []
  for (const { index, atX, atY } of points) {
    const near = clusters.find((one) => Math.hypot(one.atX - atX, one.atY - atY) < NEAR)
    if (near === undefined) clusters.push({ atX, atY, indexes: [index] })
    else near.indexes.push(index)
  }
  return clusters
}

function spanOf({ rate, low, high }: BoxedRate): string {
  return rate === null ? "unknown" : `${formatShare(rate)} (${formatShare(low)} to ${formatShare(high)})`
}
