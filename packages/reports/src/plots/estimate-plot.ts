import { html, type Html } from "../html/html.ts"
import { formatScore } from "../text/format-number.ts"
import { type AxisPosition, type AxisRange, intervalBar, positionOnAxis } from "./interval-bar.ts"

/** A mean with its name and its interval. */
export interface PlottedEstimate {
  readonly name: string
  readonly mean: number
  readonly interval: { readonly low: number; readonly high: number } | null
}

const WIDTH = 480
const LEFT = 190
const RIGHT = 360
const ROW = 26
const TOP = 8

/**
 * Draws estimates of one mean below each other, each as a point with its interval, on one scale: 0 to 1 if all values are within it, else the range of
 * the values. The one that counts has the class `chosen`, and a dashed line shows its mean in all rows.
 * @param chosen its name
 */
export function estimatePlot(estimates: readonly PlottedEstimate[], chosen: string): Html {
  const bottom = TOP + estimates.length * ROW
  const { from, to } = scaleOf(estimates)
  const x = positionOnAxis({ from, to }, LEFT, RIGHT)
  const main = estimates.find(({ name }) => name === chosen)
  return html`<svg
    class="estimates"
    viewBox="0 0 ${WIDTH} ${bottom + 22}"
    role="img"
    aria-label="Means with 95 % intervals"
  >
    ${[from, to].map(
      (tick) =>
        html`<line class="grid" x1="${x(tick)}" x2="${x(tick)}" y1="${TOP}" y2="${bottom}" />
          <text class="soft" x="${x(tick)}" y="${bottom + 16}" text-anchor="middle">${formatScore(tick)}</text>`,
    )}
    ${main === undefined ? null : html`<line class="whole" x1="${x(main.mean)}" x2="${x(main.mean)}" y1="${TOP}" y2="${bottom}" />`}
    ${estimates.map((one, index) => estimateRow(one, one === main, TOP + index * ROW + ROW / 2, x))}
  </svg>`
}

function estimateRow({ name, mean, interval }: PlottedEstimate, isMain: boolean, y: number, x: AxisPosition): Html {
  const range = interval === null ? "no interval" : `${formatScore(interval.low)} to ${formatScore(interval.high)}`
  return html`<g class="estimate${isMain ? " chosen" : ""}">
    <title>${name}: ${formatScore(mean)}, ${range}</title>
    <text x="0" y="${y + 4}">${name}</text>
    ${intervalBar(interval, x, { y, width: 4 })}
    <circle class="mean" cx="${x(mean)}" cy="${y}" r="4.5" />
    <text x="${WIDTH}" y="${y + 4}" text-anchor="end">${formatScore(mean)}</text>
  </g>`
}

function scaleOf(estimates: readonly PlottedEstimate[]): AxisRange {
  const ends = estimates.flatMap(({ mean, interval }) =>
    interval === null ? [mean] : [interval.low, mean, interval.high],
  )
  const from = Math.min(...ends)
  const to = Math.max(...ends)
  return from >= 0 && to <= 1 ? { from: 0, to: 1 } : { from, to }
}
