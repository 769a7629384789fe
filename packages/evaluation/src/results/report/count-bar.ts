import type { ScoreStats } from "@assay/schemas"
import { html, type Html } from "@assay/guardrails"

const KINDS = ["scored", "unreadable", "errored", "skipped"] as const

/** The four counts of a score, as shares of a bar and in words. */
export function countBar(stats: ScoreStats): Html {
  const all = KINDS.reduce((sum, kind) => sum + stats[kind], 0)
  const there = KINDS.filter((kind) => stats[kind] > 0)
  return html`<span class="counts">
      ${there.map((kind) => html`<i class="${kind}" style="width:${((stats[kind] / all) * 100).toFixed(2)}%"></i>`)}
    </span>
    <small>${there.map((kind) => `${stats[kind].toLocaleString("en")} ${kind}`).join(" · ") || "no rows"}</small>`
}
