import type { Slice } from "@assay/schemas"

/**
 * Returns the name of the worst slice; null if no slice is marked as worse than the rest. Of several, it is the one whose
 * interval keeps farthest from 0, and not the one with the lowest mean: the lowest of many means is often that of the fewest rows.
 */
export function worstSlice(slices: readonly Slice[], isHigherBetter: boolean): string | null {
  let worst: { readonly name: string; readonly loss: number } | undefined
  for (const { name, difference } of slices) {
    const { is_marked: isMarked = false, interval = null } = difference ?? {}
    if (!isMarked || interval === null) continue
    const loss = isHigherBetter ? -interval.high : interval.low
    if (loss > (worst?.loss ?? 0)) worst = { name, loss }
  }
  return worst?.name ?? null
}
