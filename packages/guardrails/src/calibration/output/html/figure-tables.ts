import type { JudgeReport, Rate } from "../calibration-report.ts"
import { formatShare } from "../format-share.ts"
import { html, type Html } from "./html.ts"

/** All figures of the judges, one row each. */
export function judgeTable(judges: readonly JudgeReport[]): Html {
  const hasSaved = judges.some(({ calls }) => calls.saved > 0)
  const hasFlips = judges.some(({ flips }) => flips !== null)
  return html`<div class="card">
    <table class="figures">
      <thead>
        <tr>
          <th>Judge</th>
          <th>Precision</th>
          <th>Recall</th>
          <th>F1</th>
          <th>Kappa</th>
          <th>Unreadable</th>
          <th>Errors</th>
          ${hasFlips ? html`<th>Flips</th>` : null}
          <th>Latency p50 / p95</th>
          <th>Tokens per answer</th>
          ${hasSaved ? html`<th>Calls</th>` : null}
        </tr>
      </thead>
      <tbody>
        ${judges.map(
          (one) =>
            html`<tr>
              <th>${one.name}</th>
              ${[one.precision, one.recall, one.f1, one.kappa].map(
                (value) => html`<td>${value === null ? "–" : value.toFixed(3)}</td>`,
              )}
              <td>${counted(one.unreadable.count, one.unreadable.by_reason)}</td>
              <td>${counted(one.errors.count, one.errors.by_condition)}</td>
              ${hasFlips ? html`<td>${flips(one.flips)}</td>` : null}
              <td>${milliseconds(one.latency_ms.p50)} / ${milliseconds(one.latency_ms.p95)}</td>
              <td>${Math.round((one.tokens.prompt + one.tokens.completion) / Math.max(1, one.answers))}</td>
              ${hasSaved ? html`<td>${one.calls.made}<small>${one.calls.saved} saved</small></td>` : null}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

function counted(count: number, reasons: Readonly<Record<string, number>>): Html {
  return html`${count}${Object.entries(reasons).map(([reason, one]) => html`<small>${reason} ${one}</small>`)}`
}

function flips(rate: Rate | null): string {
  return rate === null || rate.rate === null ? "–" : formatShare(rate.rate)
}

function milliseconds(value: number | null): string {
  return value === null ? "–" : `${Math.round(value)} ms`
}
