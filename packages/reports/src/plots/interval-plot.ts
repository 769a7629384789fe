import type { ScoreStats } from "@assay/schemas"
import { html, type Html } from "../html/html.ts"
import { formatScore } from "../text/format-number.ts"
import { intervalBar, positionOnAxis } from "./interval-bar.ts"

const WIDTH = 260
const HEIGHT = 22
const EDGE = 7

export interface IntervalWords {
  /** Stands where the interval would, if there is none. */
  readonly withoutInterval?: string
  /** Of the score, such as `ms`. */
  readonly unit?: string | undefined
}

/**
 * Draws a mean as a point with its interval, and a limit as a line if there is one. The scale is 0 to 1 for shares, and
 * the smallest to the largest value for everything else. Returns null if nothing was scored.
 */
export function intervalPlot(
  { mean, min, max, interval }: Pick<ScoreStats, "mean" | "min" | "max" | "interval">,
  limit: number | null,
  { withoutInterval = "too few rows", unit }: IntervalWords = {},
): Html | null {
  if (mean === "NaN" || min === "NaN" || max === "NaN") return null
  const isShare = min >= 0 && max <= 1
  const [from, to] = isShare ? [0, 1] : [min, max]
  const x = positionOnAxis({ from, to }, EDGE, WIDTH - EDGE)
  const y = HEIGHT / 2
  const range =
    interval === null
      ? withoutInterval
      : `${formatScore(interval.low)} to ${formatScore(interval.high)}${unit === undefined ? "" : ` ${unit}`}`
  return html`<svg
      viewBox="0 0 ${WIDTH} ${HEIGHT}"
      role="img"
      aria-label="${formatScore(mean)}, interval ${range}, on a scale from ${formatScore(from)} to ${formatScore(to)}"
    >
      <line class="grid" x1="${EDGE}" x2="${WIDTH - EDGE}" y1="${y}" y2="${y}" stroke-width="2" />
      <line class="grid" x1="${EDGE}" x2="${EDGE}" y1="${y - 5}" y2="${y + 5}" />
      <line class="grid" x1="${WIDTH - EDGE}" x2="${WIDTH - EDGE}" y1="${y - 5}" y2="${y + 5}" />
      ${intervalBar(interval, x, { y, width: 4 })}
      ${limit === null ? null : html`<line class="limit" x1="${x(limit)}" x2="${x(limit)}" y1="1" y2="${HEIGHT - 1}" stroke-width="1.5" />`}
      <circle class="mean" cx="${x(mean)}" cy="${y}" r="5" stroke-width="1" />
    </svg>
    <small class="ends"><span>${formatScore(from)}</span><b>${range}</b><span>${formatScore(to)}</span></small>`
}
