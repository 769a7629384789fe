import type { JobTrend, TrendPoint } from "@assay/schemas"
import { nameOfModel } from "../jobs/job-names.ts"

type Points = JobTrend["data"]

/** The unit of the axis of time. */
export type TrendAxis = "day" | "commit"

/** A point of a chart. */
export interface PlottedPoint {
  readonly point: TrendPoint
  readonly value: number
  readonly low: number | null
  readonly high: number | null
  /** The limits that the job's own gates set. */
  readonly gates: readonly GateBand[]
}

/** A limit that a gate of a job sets, and the side on which the job fails. */
export interface GateBand {
  readonly limit: number
  readonly op: ">=" | "<="
}

/** A chart of one number over time. */
export interface TrendChart {
  readonly title: string
  readonly unit: string
  readonly points: readonly PlottedPoint[]
  /** The limits of all jobs that have gates on the score. Empty if they differ: then each point has its own. */
  readonly gates: readonly GateBand[]
  /** Whether it is of a score that is a quality. Amounts come after these. */
  readonly isQuality: boolean
}

const UNITS: Readonly<Record<string, string>> = { ms: " ms", tokens: " tokens", words: " words" }

/** Returns the charts of jobs: their scores, and then cost, time and failures. Without a value, there is no chart. */
export function trendCharts(points: Points): readonly TrendChart[] {
  const names = [...new Set(points.flatMap(({ scores }) => scores.map(({ name }) => name)))]
  // Single turns of conversations would hide the others.
  const scores = names.filter((name) => !/@\d+\./u.test(name)).map((name) => scoreChart(name, points))
  const currency = points.findLast((point) => point.currency !== null)?.currency ?? ""
  const amounts = [
    amountChart("Cost", currency === "" ? "" : ` ${currency}`, points, ({ cost }) => cost),
    amountChart("Time of the job", " s", points, ({ seconds }) => seconds),
    amountChart("Failed rows", " %", points, ({ rows, failed }) => (rows === 0 ? null : (100 * failed) / rows)),
  ]
  const all = [...scores, ...amounts].filter(({ points: plotted }) => plotted.length > 0)
  return all.toSorted((a, b) => Number(b.isQuality) - Number(a.isQuality))
}

function scoreChart(name: string, points: Points): TrendChart {
  const plotted = points.flatMap((point): readonly PlottedPoint[] => {
    const score = point.scores.find((one) => one.name === name)
    if (score === undefined || typeof score.value !== "number") return []
    return [{ point, value: score.value, low: score.low, high: score.high, gates: gatesOf(name, point) }]
  })
  const unit = points.flatMap(({ scores }) => scores.find((one) => one.name === name)?.unit ?? [])[0]
  return {
    title: name,
    unit: unit === undefined ? "" : (UNITS[unit] ?? ""),
    points: plotted,
    gates: sharedGates(plotted),
    isQuality: unit === undefined,
  }
}

/** Returns the limits of all points that have some, if they are the same. */
function sharedGates(points: readonly PlottedPoint[]): readonly GateBand[] {
  const [first = [], ...others] = points.map(({ gates }) => gates).filter((gates) => gates.length > 0)
  const textOf = (gates: readonly GateBand[]) =>
    gates
      .map(({ op, limit }) => `${op} ${limit}`)
      .toSorted()
      .join()
  return others.every((gates) => textOf(gates) === textOf(first)) ? first : []
}

/** Reads the gates of a job on a score. Only a limit on the score itself is a band: gains over a baseline have another scale. */
function gatesOf(name: string, { gates }: TrendPoint): readonly GateBand[] {
  return gates.flatMap((gate) => {
    const [, op, limit] = /^(>=|<=)\s*(-?[\d.]+(?:e-?\d+)?)/u.exec(gate.limit) ?? []
    return gate.name === name && limit !== undefined ? [{ op: op as GateBand["op"], limit: Number(limit) }] : []
  })
}

function amountChart(
  title: string,
  unit: string,
  points: Points,
  valueOf: (point: TrendPoint) => number | null,
): TrendChart {
  const plotted = points.flatMap((point) => {
    const value = valueOf(point)
    return value === null ? [] : [{ point, value, low: null, high: null, gates: [] }]
  })
  return { title, unit, points: plotted, gates: [], isQuality: false }
}

/** Returns the steps of the axis in their order: the days or commits of the points. A job without a commit stands at its day. */
export function axisSteps(points: Points, axis: TrendAxis): readonly string[] {
  return [...new Set(points.map((point) => stepOf(point, axis)))]
}

/** Returns the step of the axis at which a job stands. */
export function stepOf({ created_at, commit }: TrendPoint, axis: TrendAxis): string {
  return axis === "commit" && commit !== null ? commit.slice(0, 10) : created_at.slice(0, 10)
}

/** Returns the series of points: those of one name and model, in the order of their first jobs. */
export function seriesOf(points: Points): readonly string[] {
  return [...new Set(points.map(seriesName))]
}

export function seriesName({ name, model, job }: TrendPoint): string {
  const asked = nameOfModel(model)
  return name === job ? asked : `${name} · ${asked}`
}
