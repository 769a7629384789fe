import { formatInteger, html, judgeCard, type Html } from "@assay/reports"
import { effectSentences, gateEffects } from "../doctor/gate-effects.ts"
import type { GateOutcome } from "../scores/check-gates.ts"
import type { NamedScore } from "../scores/list-scores.ts"

/** A report has no more cards about judges, so that a browser can open it. */
const MAX_CARDS = 20

/** Renders whether the judges of scores are any good. Returns null if no model judges. */
export function judgeCards(scores: readonly NamedScore[], gates: readonly GateOutcome[]): Html | null {
  const all = scores.flatMap((score) => {
    const { judge, corrected } = score.found
    if (judge === undefined) return []
    const effects = corrected === undefined ? [] : effectSentences(gateEffects(score, corrected.corrected, gates))
    return [{ name: score.name, judge, effects }]
  })
  if (all.length === 0) return null
  const left = all.length - MAX_CARDS
  return html`<h2 id="judges">Are the judges any good?</h2>
    <p class="soft">
      Each point is what was found, with its 95 % interval. The dashed line is agreement by chance, or no bias.
      ${left > 0 ? `${formatInteger(left)} more judges are left out; results.json has their numbers.` : null}
    </p>
    ${all.slice(0, MAX_CARDS).map(({ name, judge, effects }) => judgeCard(name, judge, effects))}`
}
