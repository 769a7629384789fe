import { html, type Html } from "../html/html.ts"
import { INTERVAL_OPACITY } from "./interval-bar.ts"
import { formatShare } from "../text/format-number.ts"

/** A share between 0 and 1 with its interval. */
export interface PlottedRate {
  /** The rate in words. */
  readonly label: string
  /** Null if there is nothing to draw. */
  readonly rate: number | null
  readonly low: number
  readonly high: number
}

export interface RatePlotRow {
  readonly name: string
  readonly rate: PlottedRate
  /** A second reading of the same rate, drawn hollow below the first. */
  readonly hollow: PlottedRate
}

export interface RatePlotOptions {
  readonly title: string
  /** The class that decides the colour. */
  readonly tone: string
  /** The largest rate that is allowed; null if there is no limit. */
  readonly limit: number | null
  /** The name of the intervals, such as "95 % intervals". */
  readonly intervals: string
  /** The end of the scale, above 0 and at most 1. Plots that stand side by side share it. */
  readonly scale: number
}

const WIDTH = 480
const LEFT = 16
const RIGHT = 464
const ROW = 58
const TOP = 26
const MAX_NAME = 36
/** Characters of the end of a long name that are kept. */
const END = 18

/** Draws each rate as a point with its interval, one row per name. */
export function ratePlot(
  rows: readonly RatePlotRow[],
  { title, tone, limit, intervals, scale }: RatePlotOptions,
): Html {
  const height = TOP + rows.length * ROW + 26
  const x = (share: number) => (LEFT + Math.min(1, share / scale) * (RIGHT - LEFT)).toFixed(1)
  const bottom = height - 26
  const hasLimit = limit !== null && limit <= scale
  return html`<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}, with ${intervals}">
    ${ticks(scale).map(
      (tick) =>
        html`<line class="grid" x1="${x(tick)}" x2="${x(tick)}" y1="${TOP}" y2="${bottom}" />
          <text class="soft" x="${x(tick)}" y="${height - 8}" text-anchor="middle">${formatShare(tick)}</text>`,
    )}
    ${
      hasLimit
        ? html`<text class="limit-text" x="${x(limit)}" y="${TOP - 8}" text-anchor="middle"
            >limit ${formatShare(limit)}</text
          >`
        : null
    }
    ${rows.map(({ name, rate, hollow }, index) => {
      const y = TOP + index * ROW
      return html`<text x="${LEFT}" y="${y + 16}" font-weight="600">${short(name)}</text>
        <text class="soft" x="${RIGHT}" y="${y + 16}" text-anchor="end">${rate.label}</text>
        ${hasLimit ? html`<line class="limit" x1="${x(limit)}" x2="${x(limit)}" y1="${y + 21}" y2="${y + 50}" />` : null}
        ${bar(rate, { x, y: y + 29, tone, kind: "" })} ${bar(hollow, { x, y: y + 42, tone, kind: "felt" })}`
    })}
  </svg>`
}

interface BarOptions {
  readonly x: (share: number) => string
  readonly y: number
  readonly tone: string
  /** The class of the point. "felt" is hollow. */
  readonly kind: "" | "felt"
}

function bar({ rate, low, high, label }: PlottedRate, { x, y, tone, kind }: BarOptions): Html | null {
  if (rate === null) return null
  const isHollow = kind === "felt"
  return html`<g class="${tone}">
    <title>${label}, between ${formatShare(low)} and ${formatShare(high)}</title>
    <line
      x1="${x(low)}"
      x2="${x(high)}"
      y1="${y}"
      y2="${y}"
      stroke-width="${isHollow ? 1.5 : 4}"
      stroke-opacity="${isHollow ? 1 : INTERVAL_OPACITY}"
      stroke-linecap="round" />
    <circle class="${kind}" cx="${x(rate)}" cy="${y}" r="${isHollow ? 3.5 : 5}" stroke-width="1.5"
  /></g>`
}

function ticks(scale: number): readonly number[] {
  return [0, 0.25, 0.5, 0.75, 1].map((part) => part * scale)
}

/** Leaves out the middle of a long name: paths and thresholds differ at their ends. */
function short(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - END - 1)}…${name.slice(-END)}` : name
}
