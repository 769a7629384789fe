import { type Html, formatInteger, html, slicePlot, sliceSentence } from "@assay/reports"
import { type NamedScore, writtenUnit } from "../scores/list-scores.ts"

/** A report has no more pictures of slices, so that a browser can open it. */
const MAX_CARDS = 60

/** Renders each score by the values of each column by which its rows are split. Returns null if there are none. */
export function sliceCards(scores: readonly NamedScore[], config: Parameters<typeof writtenUnit>[0]): Html | null {
  const all = scores.flatMap((one) =>
    (one.found.slices ?? []).map((slices) => ({ ...one, slices, unit: writtenUnit(config, one) })),
  )
  if (all.length === 0) return null
  const left = all.length - MAX_CARDS
  return html`<h2>Slices</h2>
    <p class="soft">
      Each point is the mean of the rows with one value, with its 95 % interval and the number of scores. The dashed
      line is the mean of all rows. ▼ and ▲ mark slices that differ from the rest by more than chance: at most 5 % of
      such marks are expected to be wrong.
      ${left > 0 ? `${formatInteger(left)} more pictures are left out; results.json has their numbers.` : null}
    </p>
    <div class="plots">
      ${all.slice(0, MAX_CARDS).map(
        ({ name, found, slices, unit }) =>
          html`<div class="card">
            <h3>${name}</h3>
            <p class="soft">${sliceSentence(slices)}</p>
            ${slices.groups.length === 0 ? null : slicePlot(slices, found, unit)}
          </div>`,
      )}
    </div>`
}
