import { type Html, formatInteger, histogramPlot, html } from "@assay/reports"
import type { ScoreStats } from "@assay/schemas"
import type { NamedScore } from "../scores/list-scores.ts"

/** Renders how values are distributed. Scores of zeros and ones are left out: their mean says everything. */
export function distributions(scores: readonly NamedScore[]): Html | null {
  const isOneTask = new Set(scores.map(({ task }) => task)).size === 1
  const cards = scores.flatMap(({ task, metric, score, found: { stats } }) => {
    if (stats === undefined) return []
    const { rubric_distribution: labels } = stats
    if (labels === undefined && !isSpread(stats)) return []
    const name = [isOneTask ? null : task, metric, metric === score ? null : score].filter((part) => part !== null)
    return [
      html`<div class="card">
        <h3>${name.join(" · ")}</h3>
        ${labels === undefined ? histogramPlot(stats) : labelBars(labels)}
      </div>`,
    ]
  })
  return cards.length === 0
    ? null
    : html`<h2>Distributions</h2>
        <div class="plots small">${cards}</div>`
}

/** Returns whether values differ, and are not only zeros and ones. */
function isSpread({ min, max, histogram: { bins } }: ScoreStats): boolean {
  if (min === max) return false
  const inner = bins.slice(1, -1).some(({ count }) => count > 0)
  return inner || min !== 0 || max !== 1
}

/** Renders how often each label was given, as bars. */
function labelBars(labels: Readonly<Record<string, number>>): Html {
  const entries = Object.entries(labels)
  const all = entries.reduce((sum, [, count]) => sum + count, 0)
  return html`<table class="rubric">
    <tbody>
      ${entries.map(
        ([label, count]) =>
          html`<tr>
            <th>${label}</th>
            <td>
              <span class="meter scored"
                ><i style="width:${all === 0 ? 0 : ((count / all) * 100).toFixed(1)}%"></i
              ></span>
            </td>
            <td class="number">${formatInteger(count)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}
