import type { ScoreStats } from "@assay/schemas"
import { html, type Html } from "../html/html.ts"
import { formatInteger, formatScore } from "../text/format-number.ts"

const WIDTH = 300
const HEIGHT = 132
const LEFT = 8
const RIGHT = 292
const TOP = 18
const BOTTOM = 108

/** Draws the bins of a histogram as bars, with the mean as a line. Returns null if there are no values. */
export function histogramPlot({
  histogram: { bins },
  mean,
  min,
  max,
}: Pick<ScoreStats, "histogram" | "mean" | "min" | "max">): Html | null {
  if (mean === "NaN" || min === "NaN" || max === "NaN" || bins.length === 0) return null
  const most = Math.max(...bins.map(({ count }) => count))
  const width = (RIGHT - LEFT) / bins.length
  // A histogram of equal values has one bin: its value is in the middle.
  const shareOf = (value: number) => (min === max ? 0.5 : (value - min) / (max - min))
  const x = (value: number) => (LEFT + shareOf(value) * (RIGHT - LEFT)).toFixed(1)
  return html`<svg
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    role="img"
    aria-label="Histogram from ${formatScore(min)} to ${formatScore(max)}"
  >
    ${bins.map(({ count, lower_bound, upper_bound }, index) => {
      const height = (count / most) * (BOTTOM - TOP)
      return html`<rect
        class="bin"
        x="${(LEFT + index * width + 1).toFixed(1)}"
        y="${(BOTTOM - height).toFixed(1)}"
        width="${(width - 2).toFixed(1)}"
        height="${height.toFixed(1)}"
        rx="2"
        ><title>${formatInteger(count)} from ${formatScore(lower_bound)} to ${formatScore(upper_bound)}</title></rect
      >`
    })}
    <line class="grid" x1="${LEFT}" x2="${RIGHT}" y1="${BOTTOM}" y2="${BOTTOM}" />
    <line class="mean dashed" x1="${x(mean)}" x2="${x(mean)}" y1="${TOP - 2}" y2="${BOTTOM}" stroke-width="1.5" />
    <text x="${x(mean)}" y="${TOP - 7}" text-anchor="${anchor(shareOf(mean))}">mean ${formatScore(mean)}</text>
    <text class="soft" x="${LEFT}" y="${HEIGHT - 8}">${formatScore(min)}</text>
    <text class="soft" x="${RIGHT}" y="${HEIGHT - 8}" text-anchor="end">${formatScore(max)}</text>
  </svg>`
}

/** Keeps a label that is near an edge inside the plot. */
function anchor(share: number): string {
  return share < 0.15 ? "start" : share > 0.85 ? "end" : "middle"
}
