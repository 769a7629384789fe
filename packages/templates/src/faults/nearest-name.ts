/** Longer names get no suggestion. */
const MAX_LENGTH = 100
/** The largest number of names that are compared. */
const MAX_NAMES = 200

/**
 * Returns the one of `names` that `name` was probably meant to be: at most one edit per three letters away, ignoring case. To
 * bound the work per row, only names of at most 100 characters get a suggestion, and only the first 200 names of similar
 * length are compared.
 */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined
  const most = Math.floor(name.length / 3)
  const near = names
    .slice(0, 10 * MAX_NAMES)
    .filter((other) => Math.abs(other.length - name.length) <= most)
    .slice(0, MAX_NAMES)
    .map((other) => ({ other, edits: editsBetween(name.toLowerCase(), other.toLowerCase()) }))
    .filter(({ edits }) => edits <= most)
  return near.toSorted((a, b) => a.edits - b.edits)[0]?.other
}

/** Counts the letters to insert, delete, replace or swap with a neighbour (Damerau 1964, optimal string alignment). */
function editsBetween(a: string, b: string): number {
  let before: readonly number[] = []
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const best = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(swapped ? Math.min(best, at(before, j - 2) + 1) : best)
    }
    before = last
    last = row
  }
  return at(last, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? 0
}
