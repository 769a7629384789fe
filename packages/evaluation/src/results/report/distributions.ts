import type { ScoreStats } from "@assay/schemas"
import { html, type Html } from "@assay/guardrails"
import type { NamedScore } from "../list-scores.ts"
import { histogramPlot } from "./histogram-plot.ts"
import { rubricPlot } from "./rubric-plot.ts"

/** How values are spread, of every score that has more to say than a share of zeros and ones. */
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
        ${labels === undefined ? histogramPlot(stats) : rubricPlot(labels)}
      </div>`,
    ]
  })
  return cards.length === 0
    ? null
    : html`<h2>Distributions</h2>
        <div class="plots small">${cards}</div>`
}

/** Zeros and ones are told by their mean; one value alone is no distribution. */
function isSpread({ min, max, histogram: { bins } }: ScoreStats): boolean {
  if (min === max) return false
  const inner = bins.slice(1, -1).some(({ count }) => count > 0)
  return inner || min !== 0 || max !== 1
}
