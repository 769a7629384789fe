import { printable, type Slice } from "@assay/schemas"
import { formatInteger, formatScore } from "../../text/format-number.ts"
import { sliceSentence } from "../../text/slice-sentence.ts"
import { formatTable } from "../format-table.ts"
import { formatInterval, type ShownScore } from "./format-scores.ts"

const MAX_SHOWN = 100

/** Formats one sentence for each score and column by which its rows are split. Empty if there are none. */
export function formatSliceSentences(scores: readonly ShownScore[]): string {
  const sentences = scores.flatMap(({ name, found }) =>
    (found.slices ?? []).map((slices) => `${printable(`${name} by ${sliceSentence(slices)}`)}\n`),
  )
  const left = sentences.length - MAX_SHOWN
  return sentences.slice(0, MAX_SHOWN).join("") + (left > 0 ? `${formatInteger(left)} more are in the results.\n` : "")
}

/** Formats the slices of all scores as a table, and a sentence about each column. Empty if there are none. */
export function formatSlices(scores: readonly ShownScore[]): string {
  const rows = scores.flatMap(({ name, found }) =>
    (found.slices ?? []).flatMap(({ column, groups }) => groups.map((slice) => ({ name, column, slice }))),
  )
  if (rows.length === 0) return ""
  const table = formatTable(rows.slice(0, MAX_SHOWN), [
    { heading: "SCORE", value: ({ name }) => name },
    { heading: "SLICE", value: ({ column, slice }) => `${column}: ${slice.name}` },
    { heading: "VALUE", value: ({ slice }) => formatScore(slice.value), align: "right" },
    { heading: "95 % INTERVAL", value: ({ slice }) => formatInterval(slice.interval) },
    { heading: "SCORED", value: ({ slice }) => formatInteger(slice.scored), align: "right" },
    { heading: "FROM THE REST", value: ({ slice }) => formatDifference(slice) },
  ])
  const left = rows.length - MAX_SHOWN
  const more = left > 0 ? `${formatInteger(left)} more slices are in the JSON of the results.\n` : ""
  const note = rows.some(({ slice }) => slice.difference?.is_marked)
    ? "* differs from the rest: at most 5 % of such marks are expected to be wrong\n"
    : ""
  return table + more + note
}

function formatDifference({ difference }: Slice): string {
  if (difference === null) return "–"
  return `${formatInterval(difference.interval)}${difference.is_marked ? " *" : ""}`
}
