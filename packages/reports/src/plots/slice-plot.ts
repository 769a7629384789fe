import type { Score, ScoreSlices, Slice } from "@assay/schemas"
import { html, type Html } from "../html/html.ts"
import { formatEqualScores, formatInteger, formatScore } from "../text/format-number.ts"
import { type AxisPosition, type AxisRange, intervalBar, positionOnAxis } from "./interval-bar.ts"

const WIDTH = 480
/** The width of a character of a name at most, and what names have at least and at most. */
const CHARACTER = 8
const MIN_LEFT = 60
const MAX_LEFT = 170
const RIGHT = 370
const ROW = 24
const TOP = 8
const MAX_NAME = 22

/**
 * Draws the mean of each slice as a point with its interval, one row per slice, the lowest mean first. A line shows the mean over all
 * rows. Triangles mark slices that differ from the rest by more than chance, and the worst one has the class `worst`.
 * @param unit of the means, such as `ms`
 */
export function slicePlot(
  { column, worst, groups }: ScoreSlices,
  { value, stats }: Pick<Score, "value" | "stats">,
  unit?: string,
): Html {
  const rows = groups.toSorted((a, b) => sortValue(a) - sortValue(b))
  const height = TOP + rows.length * ROW + 22
  const { from, to } = scaleOf(rows, stats)
  const longest = Math.max(0, ...rows.map(({ name }) => short(name).length))
  const left = Math.min(MAX_LEFT, Math.max(MIN_LEFT, longest * CHARACTER))
  const x = positionOnAxis({ from, to }, left, RIGHT)
  const bottom = height - 22
  const valueText = formatEqualScores(rows.map((slice) => slice.value))
  return html`<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Means by ${column}, with 95 % intervals">
    ${[from, to].map(
      (tick) =>
        html`<line class="grid" x1="${x(tick)}" x2="${x(tick)}" y1="${TOP}" y2="${bottom}" />
          <text class="soft" x="${x(tick)}" y="${height - 6}" text-anchor="middle">${formatScore(tick)}</text>`,
    )}
    ${value === "NaN" ? null : html`<line class="whole" x1="${x(value)}" x2="${x(value)}" y1="${TOP}" y2="${bottom}" />`}
    ${rows.map((slice, index) =>
      sliceRow(slice, {
        isWorst: slice.name === worst,
        y: TOP + index * ROW + ROW / 2,
        x,
        text: `${valueText(slice.value)}${unit === undefined ? "" : ` ${unit}`}`,
      }),
    )}
  </svg>`
}

interface DrawnSlice {
  readonly isWorst: boolean
  readonly y: number
  readonly x: AxisPosition
  /** The mean as it stands beside the others. */
  readonly text: string
}

function sliceRow(slice: Slice, { isWorst, y, x, text }: DrawnSlice): Html {
  const { name, kind, value, interval, scored, difference } = slice
  const isMarked = difference?.is_marked === true
  const label = `${text} · ${formatInteger(scored)}${isMarked ? ((difference?.value ?? 0) < 0 ? " ▼" : " ▲") : ""}`
  const range = interval === null ? "no interval" : `${formatScore(interval.low)} to ${formatScore(interval.high)}`
  return html`<g class="slice${isWorst ? " worst" : ""}">
    <title>${name}: ${formatScore(value)}, ${range}, ${formatInteger(scored)} scores</title>
    <text class="${kind === "value" ? "" : "soft"}" x="0" y="${y + 4}">${short(name)}</text>
    ${intervalBar(interval, x, { y, width: 4 })}
    ${value === "NaN" ? null : html`<circle class="mean" cx="${x(value)}" cy="${y}" r="4" />`}
    <text x="${WIDTH}" y="${y + 4}" text-anchor="end">${label}</text>
  </g>`
}

/** Returns 0 to 1 for shares, else the range of means and intervals. */
function scaleOf(rows: readonly Slice[], stats: Score["stats"]): AxisRange {
  const { min = 0, max = 1 } = stats ?? {}
  if (min === "NaN" || max === "NaN" || (min >= 0 && max <= 1)) return { from: 0, to: 1 }
  const ends = rows.flatMap(({ value, interval }) => [
    ...(value === "NaN" ? [] : [value]),
    ...(interval === null ? [] : [interval.low, interval.high]),
  ])
  return { from: Math.min(...ends), to: Math.max(...ends) }
}

function sortValue({ value }: Slice): number {
  return value === "NaN" ? Number.MAX_VALUE : value
}

function short(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name
}
