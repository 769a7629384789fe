import type { JudgeReport } from "@assay/schemas"
import { html, type Html } from "../html/html.ts"
import { verdictBadge } from "../html/gate-table.ts"
import { findingInterval, type JudgeFinding, judgeFindings, JUDGE_WORDS } from "../text/judge-report.ts"
import { formatScore } from "../text/format-number.ts"
import { type AxisRange, intervalBar, positionOnAxis } from "./interval-bar.ts"

const TONES = { fit: "PASS", corrected: "INCONCLUSIVE", not_yet: "FAIL" } as const

/** Renders whether a judge is any good: the conclusion, and each finding as a point with its interval. `effects` are sentences about gates. */
export function judgeCard(name: string, report: JudgeReport, effects: readonly string[]): Html {
  const findings = judgeFindings(report)
  return html`<div class="card judge">
    <h3>${name} ${verdictBadge(JUDGE_WORDS[report.conclusion], TONES[report.conclusion])}</h3>
    ${report.model === null ? null : html`<p class="soft">judged by <code>${report.model}</code></p>`}
    <p>${report.message}</p>
    ${effects.map((effect) => html`<p>${effect}</p>`)}
    ${
      findings.length === 0
        ? null
        : html`<table>
            <thead>
              <tr>
                <th>Check</th>
                <th></th>
                <th>Found</th>
                <th>95 % interval</th>
                <th>From</th>
              </tr>
            </thead>
            <tbody>
              ${findings.map(
                (one) =>
                  html`<tr>
                    <th>${one.check}</th>
                    <td>${findingPlot(one)}</td>
                    <td class="number">${formatScore(one.value)}</td>
                    <td>${findingInterval(one)}</td>
                    <td class="soft">${one.from}</td>
                  </tr>`,
              )}
            </tbody>
          </table>`
    }
  </div>`
}

const WIDTH = 160
const HEIGHT = 18
const RANGES: Readonly<Record<"agreement" | "share", AxisRange>> = {
  agreement: { from: -1, to: 1 },
  share: { from: 0, to: 1 },
}

/** Draws a finding on its scale, with a dashed line at the neutral value. */
function findingPlot(finding: JudgeFinding): Html | null {
  const { value, interval, scale, neutral, check } = finding
  if (value === null) return null
  const furthest = Math.max(Math.abs(value), Math.abs(interval?.low ?? 0), Math.abs(interval?.high ?? 0)) || 1
  const x = positionOnAxis(scale === "difference" ? { from: -furthest, to: furthest } : RANGES[scale], 6, WIDTH - 6)
  return html`<svg
    class="finding"
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    role="img"
    aria-label="${check}: ${formatScore(value)}, ${findingInterval(finding)}"
  >
    <line class="grid" x1="6" x2="${WIDTH - 6}" y1="9" y2="9" />
    <line class="whole" x1="${x(neutral)}" x2="${x(neutral)}" y1="1" y2="17" />
    ${intervalBar(interval, x, { y: 9, width: 4 })}
    <circle class="mean" cx="${x(value)}" cy="9" r="4.5" />
  </svg>`
}

/** CSS of such cards. */
export const JUDGE_STYLE = `
svg.finding { width: 160px; height: 18px; } svg.finding .whole { stroke: var(--soft); stroke-dasharray: 3 3; }
svg.finding .mean { stroke: var(--accent); fill: var(--accent); } .judge td, .judge th { vertical-align: middle; }
`
