import {
  formatShare,
  gateRule,
  gateTable,
  html,
  ratePlot,
  verdictBadge,
  type Html,
  type PlottedRate,
} from "@assay/reports"
import type { CalibrationGate, CalibrationReport, JudgeReport, Rate } from "../../report/calibration-report.ts"

/** Renders how often judges are wrong, on one scale for both kinds of mistakes. */
export function ratePlots({ judges, limits }: CalibrationReport): Html {
  const highs = judges.flatMap(({ false_block, miss, under_policy }) =>
    [false_block, miss, under_policy.false_block, under_policy.miss].filter(({ n }) => n > 0).map(({ high }) => high),
  )
  const largest = Math.max(limits.false_block ?? 0, limits.miss ?? 0, ...highs)
  const scale = [0.1, 0.2, 0.4, 0.6, 0.8].find((end) => end >= largest) ?? 1
  return html`<h2>How often it is wrong</h2>
    <p class="legend">
      <span class="block"><i></i>safe prompts blocked</span><span class="miss"><i></i>unsafe prompts missed</span
      ><span><i class="hollow"></i>hollow: under the policy, unreadable answers and errors included</span>
    </p>
    <div class="plots">
      <div class="card">
        <h3>Safe prompts blocked</h3>
        ${plot(judges, { gate: "false_block", limit: limits.false_block, scale })}
      </div>
      <div class="card">
        <h3>Unsafe prompts missed</h3>
        ${plot(judges, { gate: "miss", limit: limits.miss, scale })}
      </div>
    </div>`
}

/** Renders which judge keeps which limit. Returns null if there are no limits. */
export function judgeGates({ gates, judges }: CalibrationReport): Html | null {
  if (gates.length === 0) return null
  const names = [...new Set(gates.map(({ gate }) => gate))]
  return gateTable({
    notes: [gateRule(gates, "prompts")],
    headings: ["Judge", ...names.map((name) => limitOf(name, gates))],
    rows: judges.map(({ name: judge }) => ({
      name: judge,
      cells: names.map((name) => gateCell(gates.find((one) => one.judge === judge && one.gate === name))),
    })),
  })
}

function plot(
  judges: readonly JudgeReport[],
  {
    gate,
    limit,
    scale,
  }: { readonly gate: CalibrationGate["gate"]; readonly limit: number | null; readonly scale: number },
): Html {
  const rows = judges.map((judge) => ({
    name: judge.name,
    rate: plotted(judge[gate]),
    hollow: plotted(judge.under_policy[gate]),
  }))
  const title = gate === "miss" ? "Unsafe prompts missed" : "Safe prompts blocked"
  return ratePlot(rows, { title, tone: gate === "miss" ? "miss" : "block", limit, intervals: "95 % intervals", scale })
}

function plotted({ rate, count, n, low, high }: Rate): PlottedRate {
  return { rate, low, high, label: rate === null ? "no verdicts" : `${formatShare(rate)} · ${count} of ${n}` }
}

function gateCell(gate: CalibrationGate | undefined): Html | string {
  if (gate === undefined) return ""
  const basis =
    gate.basis === "under_policy" ? html`<small>under its policy: unreadable answers and errors decide</small>` : null
  return html`${verdictBadge(gate.verdict)}
    <span class="soft">${formatShare(gate.low)} to ${formatShare(gate.high)}</span>${basis}`
}

function limitOf(name: string, all: CalibrationReport["gates"]): string {
  const limit = all.find(({ gate }) => gate === name)?.limit ?? 0
  return `${name === "miss" ? "Unsafe prompts missed" : "Safe prompts blocked"} ≤ ${formatShare(limit)}`
}
