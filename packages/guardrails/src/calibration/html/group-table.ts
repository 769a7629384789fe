import type { JudgeRates, JudgeReport, Rate } from "../calibration-report.ts"
import { formatShare } from "../format-share.ts"
import { html, type Html } from "./html.ts"

/** False blocks and misses of each group as bars, a pair of columns for each judge; nothing where rows have no groups. */
export function groupTable(
  title: string,
  judges: readonly JudgeReport[],
  groupsOf: (judge: JudgeReport) => Readonly<Record<string, JudgeRates>>,
): Html | null {
  const names = Object.keys(judges[0] === undefined ? {} : groupsOf(judges[0]))
  if (names.length === 0) return null
  return html`<h2>${title}</h2>
    <div class="card">
      <table>
        <thead>
          <tr>
            <th></th>
            ${judges.map(
              (judge) =>
                html`<th>blocked <small>${judge.name}</small></th>
                  <th>missed <small>${judge.name}</small></th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${names.map(
            (name) =>
              html`<tr>
                <th>${name}</th>
                ${judges.map((judge) => {
                  const rates = groupsOf(judge)[name]
                  return html`${cell(rates?.false_block, "block")}${cell(rates?.miss, "miss")}`
                })}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`
}

function cell(rate: Rate | undefined, tone: string): Html {
  if (rate === undefined || rate.rate === null) return html`<td class="soft">–</td>`
  const range = `95 %: ${formatShare(rate.low)} to ${formatShare(rate.high)}`
  return html`<td class="share ${tone}" title="${range}">
    ${formatShare(rate.rate)} <span class="tags">${rate.count} of ${rate.n}</span>
    <span class="meter"><i style="width:${(rate.rate * 100).toFixed(1)}%"></i></span>
  </td>`
}
