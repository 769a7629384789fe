import { formatScore } from "@assay/reports"
import { useNavigate } from "@tanstack/react-router"
import type { MouseEvent, ReactElement } from "react"
import { evenRange } from "../../../plots/even-range.ts"
import { seriesClass } from "./series-look.ts"
import { SeriesMark } from "./series-mark.tsx"
import {
  seriesName,
  stepOf,
  type GateBand,
  type PlottedPoint,
  type TrendAxis,
  type TrendChart,
} from "./trend-points.ts"

export interface TrendPlotProps {
  readonly chart: TrendChart
  readonly axis: TrendAxis
  /** The steps of the axis, shared by all charts of the page. */
  readonly steps: readonly string[]
  /** The series, whose positions are their colours. */
  readonly series: readonly string[]
}

const WIDTH = 520
const HEIGHT = 190
const LEFT = 52
const RIGHT = 508
const TOP = 12
const BOTTOM = 160
/** Labels of the axis that fit beside each other. */
const MAX_LABELS = 5
/** Characters of a unit that fit beside a number of the vertical axis. */
const MAX_UNIT = 3

/** Draws one number of jobs over time, with intervals and the limits of gates. A point leads to its job. */
export function TrendPlot(props: TrendPlotProps): ReactElement {
  const { chart, axis, steps, series } = props
  const { title, unit, points, gates } = chart
  const [from, to] = rangeOf(chart)
  const y = (value: number) => BOTTOM - ((value - from) / (to - from)) * (BOTTOM - TOP)
  const places = placesOf(points, axis, steps)
  const every = Math.ceil(steps.length / MAX_LABELS)
  return (
    <svg
      className="trend-plot"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="group"
      aria-label={`${title} over time: the table below has the same numbers`}
    >
      {gates.map((gate) => (
        <Band key={`${gate.op} ${gate.limit}`} gate={gate} y={y} />
      ))}
      {places.flatMap(({ x, plotted }) =>
        (gates.length === 0 ? plotted.gates : []).map((gate) => (
          <LimitOfPoint key={`${plotted.point.job} ${gate.op} ${gate.limit}`} x={x} gate={gate} y={y} />
        )),
      )}
      {[from, (from + to) / 2, to].map((tick) => (
        <g key={tick}>
          <line className="grid" x1={LEFT} x2={RIGHT} y1={y(tick)} y2={y(tick)} />
          <text className="soft" x={LEFT - 6} y={y(tick) + 4} textAnchor="end">
            {formatScore(tick)}
            {unit.length > MAX_UNIT ? "" : unit}
          </text>
        </g>
      ))}
      {steps.map((step, at) =>
        at % every === 0 ? (
          <text key={step} className="soft" x={stepCentre(at, steps.length)} y={BOTTOM + 18} textAnchor="middle">
            {axis === "day" ? step.slice(5) : step}
          </text>
        ) : null,
      )}
      {series.map((name, at) => {
        const own = places.filter(({ plotted }) => seriesName(plotted.point) === name)
        const line = own.map(({ x, plotted }) => `${x.toFixed(1)},${y(plotted.value).toFixed(1)}`).join(" ")
        return (
          <g key={name} className={seriesClass(at)}>
            {own.length > 1 ? <polyline points={line} /> : null}
            {own.map(({ x, plotted }) => (
              <JobPoint key={plotted.point.job} x={x} y={y} plotted={plotted} unit={unit} series={at} />
            ))}
          </g>
        )
      })}
    </svg>
  )
}

interface BandProps {
  readonly gate: GateBand
  readonly y: (value: number) => number
}

/** Draws the side of a limit on which jobs fail. */
function Band({ gate: { limit, op }, y }: BandProps): ReactElement {
  const edge = Math.max(TOP, Math.min(BOTTOM, y(limit)))
  const isBelow = op === ">="
  return (
    <g>
      <rect
        className="gate-band"
        x={LEFT}
        width={RIGHT - LEFT}
        y={isBelow ? edge : TOP}
        height={isBelow ? BOTTOM - edge : edge - TOP}
      />
      <line className="limit" x1={LEFT} x2={RIGHT} y1={edge} y2={edge} />
      <text className="limit-text" x={LEFT + 4} y={isBelow && edge + 13 < BOTTOM ? edge + 13 : edge - 5}>
        gate {isBelow ? "≥" : "≤"} {formatScore(limit)}
      </text>
    </g>
  )
}

/** Half the width of the limit of one job. */
const HALF_LIMIT = 9

/** Draws the limit of one job at its point, if jobs have different ones: a line, with a mark on the side on which it fails. */
function LimitOfPoint({ x, gate: { limit, op }, y }: BandProps & { readonly x: number }): ReactElement {
  const edge = y(limit)
  return (
    <g>
      <title>
        gate {op === ">=" ? "≥" : "≤"} {formatScore(limit)}
      </title>
      <rect
        className="gate-band"
        x={x - HALF_LIMIT}
        width={2 * HALF_LIMIT}
        y={op === ">=" ? edge : edge - 8}
        height={8}
      />
      <line className="limit" x1={x - HALF_LIMIT} x2={x + HALF_LIMIT} y1={edge} y2={edge} />
    </g>
  )
}

interface JobPointProps {
  readonly x: number
  readonly y: (value: number) => number
  readonly plotted: PlottedPoint
  readonly unit: string
  /** The number of its series. */
  readonly series: number
}

function JobPoint({ x, y, plotted, unit, series }: JobPointProps): ReactElement {
  const navigate = useNavigate()
  const { point, value, low, high, gates } = plotted
  const { job, created_at } = point
  const open = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void navigate({ to: "/jobs/$id", params: { id: job } })
  }
  const between = low === null || high === null ? "" : `, ${formatScore(low)} to ${formatScore(high)}`
  const limits = gates.map((gate) => `, gate ${gate.op === ">=" ? "≥" : "≤"} ${formatScore(gate.limit)}`).join("")
  const label = `${formatScore(value)}${unit}${between}${limits}: ${seriesName(point)}, ${created_at.slice(0, 16).replace("T", " ")}`
  return (
    <a href={`/jobs/${encodeURIComponent(job)}`} onClick={open} aria-label={label}>
      <title>{label}</title>
      {low === null || high === null ? null : <line x1={x} x2={x} y1={y(low)} y2={y(high)} />}
      <SeriesMark at={series} x={x} y={y(value)} />
      <circle className="target" cx={x} cy={y(value)} r={11} />
    </a>
  )
}

function stepCentre(at: number, count: number): number {
  return LEFT + ((at + 0.5) / count) * (RIGHT - LEFT)
}

/** Returns where each point stands: those of one step beside each other in their order. */
function placesOf(points: readonly PlottedPoint[], axis: TrendAxis, steps: readonly string[]) {
  const byStep = Map.groupBy(points, ({ point }) => stepOf(point, axis))
  const width = (RIGHT - LEFT) / Math.max(1, steps.length)
  return points.map((plotted) => {
    const step = stepOf(plotted.point, axis)
    const beside = byStep.get(step) ?? []
    const offset = (beside.indexOf(plotted) + 1) / (beside.length + 1)
    return { plotted, x: LEFT + (steps.indexOf(step) + offset) * width }
  })
}

/** Returns the ends of the vertical axis: 0 to 1 for shares, else even numbers around all values. Amounts begin at 0. */
function rangeOf({ points, gates, isQuality }: TrendChart): readonly [number, number] {
  const ends = points.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value])
  const all = [...ends, ...[gates, ...points.map((point) => point.gates)].flat().map(({ limit }) => limit)]
  const least = Math.min(...all)
  const most = Math.max(...all)
  if (!isQuality) return most === 0 ? [0, 1] : evenRange(0, most)
  return least >= 0 && most <= 1 ? [0, 1] : evenRange(least, most)
}
