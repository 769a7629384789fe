import type { CalibrationReport } from "../calibration-report.ts"
import { formatShare } from "../format-share.ts"
import { gateBadge } from "./gate-badge.ts"
import { html, type Html } from "./html.ts"

/** Which judge keeps which limit. */
export function gateTable({ gates: all, judges }: CalibrationReport): Html {
  const names = [...new Set(all.map(({ gate }) => gate))]
  const cell = (judge: string, name: string) => {
    const found = all.find((one) => one.judge === judge && one.gate === name)
    if (found === undefined) return html`<td></td>`
    const basis =
      found.basis === "under_policy"
        ? html`<small>under its policy: unreadable answers and errors decide</small>`
        : null
    return html`<td>
      ${gateBadge(found.verdict)}
      <span class="soft">${formatShare(found.low)} to ${formatShare(found.high)}</span>${basis}
    </td>`
  }
  return html`<h2>Gates</h2>
    <p class="soft">The whole interval has to keep the limit; where the limit lies inside, more prompts are needed.</p>
    <div class="card">
      <table>
        <thead>
          <tr>
            <th>Judge</th>
            ${names.map((name) => html`<th>${limitOf(name, all)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${judges.map(
            ({ name }) =>
              html`<tr>
                <th>${name}</th>
                ${names.map((one) => cell(name, one))}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`
}

function limitOf(name: string, all: CalibrationReport["gates"]): string {
  const limit = all.find(({ gate }) => gate === name)?.limit ?? 0
  return `${name === "miss" ? "Unsafe prompts missed" : "Safe prompts blocked"} ≤ ${formatShare(limit)}`
}
