import { html, type Html } from "@assay/guardrails"
import type { GateOutcome } from "../check-gates.ts"
import { formatScore } from "../format-score.ts"

/** What was asked of the scores; nothing where nothing was. */
export function gateTable(gates: readonly GateOutcome[]): Html | null {
  if (gates.length === 0) return null
  return html`<h2>Gates</h2>
    <p class="soft">The whole interval has to keep the limit; where the limit lies inside, more rows are needed.</p>
    <div class="card">
      <table>
        <thead>
          <tr>
            <th>Score</th>
            <th>Limit</th>
            <th>Value</th>
            <th>Between</th>
            <th></th>
          </tr>
        </thead>
        <tbody>
          ${gates.map(
            ({ name, limit, value, low, high, verdict }) =>
              html`<tr>
                <th>${name}</th>
                <td>${limit.replace(">=", "≥").replace("<=", "≤")}</td>
                <td>${formatScore(value)}</td>
                <td>
                  ${low === null ? "–" : low === high ? "no interval" : `${formatScore(low)} to ${formatScore(high)}`}
                </td>
                <td><span class="badge ${verdict}">${verdict}</span></td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`
}
