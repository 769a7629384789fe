import type { ScoreSlices, Slice } from "@assay/schemas"
import { formatInteger, formatScore } from "./format-number.ts"

/** Returns one sentence about the slices of a score by one column: which is worst, or that none differs by more than chance. */
export function sliceSentence({ column, values, worst, groups }: ScoreSlices): string {
  if (values === null) return `${column}: too many values for slices.`
  if (values === 0) return `${column}: no row has this column.`
  const marked = groups.filter(({ difference }) => difference?.is_marked === true)
  const found = groups.find(({ name }) => name === worst)
  if (found !== undefined) {
    const others = marked.length === 1 ? "" : ` (${formatInteger(marked.length)} slices differ)`
    return `${column}: the worst slice is ${found.name} with ${formatScore(found.value)}, ${distance(found)} the rest${others}.`
  }
  if (marked.length > 0)
    return `${column}: ${marked.map(({ name }) => name).join(", ")} differ from the rest by more than chance.`
  const isTested = groups.some(({ difference }) => difference?.p != null)
  return isTested
    ? `${column}: no slice differs from the rest by more than chance.`
    : `${column}: too few rows to compare slices.`
}

/** `0.1 to 0.3 below` */
function distance({ difference }: Slice): string {
  const { low = 0, high = 0 } = difference?.interval ?? {}
  const near = Math.min(Math.abs(low), Math.abs(high))
  const far = Math.max(Math.abs(low), Math.abs(high))
  return `${formatScore(near)} to ${formatScore(far)} ${(difference?.value ?? 0) < 0 ? "below" : "above"}`
}
