import type { ScoreStats } from "@assay/schemas"
import { html, type Html } from "@assay/guardrails"
import type { GateOutcome } from "../check-gates.ts"
import { formatScore } from "../format-score.ts"

const WIDTH = 260
const HEIGHT = 22
const EDGE = 7

/** A mean as a point on its scale, with its interval; shares stand between 0 and 1, all else between least and most. */
export function intervalPlot({ mean, min, max, interval }: ScoreStats, gate: GateOutcome | undefined): Html | null {
  if (mean === "NaN" || min === "NaN" || max === "NaN") return null
  const isShare = min >= 0 && max <= 1
  const [from, to] = isShare ? [0, 1] : [min, max]
  const x = (value: number) => {
    const share = from === to ? 0.5 : (value - from) / (to - from)
    return (EDGE + Math.min(1, Math.max(0, share)) * (WIDTH - 2 * EDGE)).toFixed(1)
  }
  const y = HEIGHT / 2
  const limit = gate === undefined ? null : Number(gate.limit.replace(/^\D+ /, ""))
  const range = interval === null ? "too few rows" : `${formatScore(interval.low)} to ${formatScore(interval.high)}`
  return html`<svg
      viewBox="0 0 ${WIDTH} ${HEIGHT}"
      role="img"
      aria-label="${formatScore(mean)}, interval ${range}, on a scale from ${formatScore(from)} to ${formatScore(to)}"
    >
      <line class="grid" x1="${EDGE}" x2="${WIDTH - EDGE}" y1="${y}" y2="${y}" stroke-width="2" />
      <line class="grid" x1="${EDGE}" x2="${EDGE}" y1="${y - 5}" y2="${y + 5}" />
      <line class="grid" x1="${WIDTH - EDGE}" x2="${WIDTH - EDGE}" y1="${y - 5}" y2="${y + 5}" />
      ${
        interval === null
          ? null
          : html`<line
              class="mean"
              x1="${x(interval.low)}"
              x2="${x(interval.high)}"
              y1="${y}"
              y2="${y}"
              stroke-width="8"
              stroke-opacity="0.3"
              stroke-linecap="round"
            />`
      }
      ${limit === null ? null : html`<line class="limit" x1="${x(limit)}" x2="${x(limit)}" y1="1" y2="${HEIGHT - 1}" stroke-width="1.5" />`}
      <circle class="mean" cx="${x(mean)}" cy="${y}" r="5" stroke-width="1" />
    </svg>
    <small class="ends"><span>${formatScore(from)}</span><b>${range}</b><span>${formatScore(to)}</span></small>`
}
