import { formatInteger, html, labelCard, type Html } from "@assay/reports"
import type { NamedScore } from "../scores/list-scores.ts"

/** A report has no more pictures of corrections, so that a browser can open it. */
const MAX_CARDS = 60

/** Renders each score that labels of people correct: the judge, the people, and both together. Returns null if there are none. */
export function correctionCards(scores: readonly NamedScore[]): Html | null {
  const all = scores.flatMap(({ name, found: { corrected } }) => (corrected === undefined ? [] : [{ name, corrected }]))
  if (all.length === 0) return null
  const left = all.length - MAX_CARDS
  return html`<h2>Corrected by people</h2>
    <p class="soft">
      The corrected mean estimates what people would find if they labelled all rows, with its 95 % interval. Gates
      compare it if they say so, else the scores above, which are not corrected.
      ${left > 0 ? `${formatInteger(left)} more scores are left out; results.json has their numbers.` : null}
    </p>
    <div class="plots">${all.slice(0, MAX_CARDS).map(({ name, corrected }) => labelCard(name, corrected))}</div>`
}
