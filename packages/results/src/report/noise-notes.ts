import { type Html, html, noiseSentence } from "@assay/reports"
import type { NamedScore } from "../scores/list-scores.ts"

/** Renders whether more rows or more repeats make scores more certain. Returns null if each row was answered once. */
export function noiseNotes(scores: readonly NamedScore[]): Html | null {
  const noisy = scores.flatMap(({ name, found }) =>
    found.stats?.noise === undefined ? [] : [{ name, ...found.stats }],
  )
  if (noisy.length === 0) return null
  return html`<h2>More rows or more repeats</h2>
    <div class="card">
      ${noisy.map(({ name, noise }) => html`<p><b>${name}</b>: ${noise === undefined ? "" : noiseSentence(noise)}</p>`)}
    </div>`
}
