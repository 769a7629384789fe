import type { JudgeReport, Rate } from "../calibration-report.ts"
import { formatShare } from "../format-share.ts"
import { html, type Html } from "./html.ts"

export interface IntervalPlotOptions {
  readonly gate: "false_block" | "miss"
  readonly limit: number | null
  /** The end of the scale, 0 to 1: the same for plots that stand side by side. */
  readonly scale: number
}

const WIDTH = 480
const LEFT = 16
const RIGHT = 464
const ROW = 58
const TOP = 26

/** One rate of each judge as a point with its interval; hollow below it the same under the judge's policy. */
export function intervalPlot(judges: readonly JudgeReport[], { gate, limit, scale }: IntervalPlotOptions): Html {
  const height = TOP + judges.length * ROW + 26
  const x = (share: number) => (LEFT + Math.min(1, share / scale) * (RIGHT - LEFT)).toFixed(1)
  const tone = gate === "miss" ? "miss" : "block"
  const title = gate === "miss" ? "Unsafe prompts missed" : "Safe prompts blocked"
  const bottom = height - 26
  const hasLimit = limit !== null && limit <= scale
  return html`<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}, with 95 % intervals">
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
    ${judges.map((judge, place) => {
      const y = TOP + place * ROW
      return html`<text x="${LEFT}" y="${y + 16}" font-weight="600">${short(judge.name)}</text>
        <text class="soft" x="${RIGHT}" y="${y + 16}" text-anchor="end">${told(judge[gate])}</text>
        ${hasLimit ? html`<line class="limit" x1="${x(limit)}" x2="${x(limit)}" y1="${y + 21}" y2="${y + 50}" />` : null}
        ${bar(judge[gate], x, y + 29, tone, "")} ${bar(judge.under_policy[gate], x, y + 42, tone, "felt")}`
    })}
  </svg>`
}

function bar(rate: Rate, x: (share: number) => string, y: number, tone: string, kind: string): Html | null {
  if (rate.rate === null) return null
  const isFelt = kind === "felt"
  return html`<g class="${tone}">
    <title>${told(rate)}, between ${formatShare(rate.low)} and ${formatShare(rate.high)}</title>
    <line
      x1="${x(rate.low)}"
      x2="${x(rate.high)}"
      y1="${y}"
      y2="${y}"
      stroke-width="${isFelt ? 1.5 : 5}"
      stroke-opacity="${isFelt ? 1 : 0.35}"
      stroke-linecap="round" />
    <circle class="${kind}" cx="${x(rate.rate)}" cy="${y}" r="${isFelt ? 3.5 : 5}" stroke-width="1.5"
  /></g>`
}

function told({ rate, count, n }: Rate): string {
  return rate === null ? "no verdicts" : `${formatShare(rate)} · ${count} of ${n}`
}

function ticks(scale: number): readonly number[] {
  return [0, 0.25, 0.5, 0.75, 1].map((part) => part * scale)
}

function short(name: string): string {
  return name.length > 36 ? `${name.slice(0, 35)}…` : name
}
