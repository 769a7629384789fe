/** A difference, by the indexes of its rows. */
export interface IndexedDifference {
  readonly change: "added" | "removed" | "changed"
  /** Undefined: the row is not there. */
  readonly from: number | undefined
  readonly to: number | undefined
}

/** The differences that were found: how many, and the first ones. */
export interface FoundDifferences {
  readonly counts: { added: number; removed: number; changed: number; same: number }
  add(difference: IndexedDifference): void
  /** Returns the first differences in the order of their rows. */
  first(): readonly IndexedDifference[]
}

/** Creates a collection that holds not many more than `limit` differences. */
export function collectDifferences(limit: number): FoundDifferences {
  const counts = { added: 0, removed: 0, changed: 0, same: 0 }
  let kept: IndexedDifference[] = []
  const cut = () => {
    kept = kept.toSorted((a, b) => indexOf(a) - indexOf(b) || (a.to ?? -1) - (b.to ?? -1)).slice(0, limit)
  }
  return {
    counts,
    add(difference) {
      counts[difference.change] += 1
      kept.push(difference)
      if (kept.length > 2 * limit + 1000) cut()
    },
    first() {
      cut()
      return kept
    },
  }
}

function indexOf({ from, to }: IndexedDifference): number {
  return to ?? from ?? 0
}
