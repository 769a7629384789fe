/** Characters of a name, above which nothing is near it: no letter that was mistaken makes such names alike. */
const LONGEST = 100
/** Names that are compared. */
const MAX_NAMES = 200

/**
 * The one of `names` that `name` was probably meant to be: one edit in three letters away at the most, case aside. Only the
 * first 200 names that are about as long are compared, and none above 100 characters: data of users has names of any length,
 * and each row may miss one.
 */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  if (name.length > LONGEST) return undefined
  const most = Math.floor(name.length / 3)
  const near = names
    .slice(0, 10 * MAX_NAMES)
    .filter((other) => Math.abs(other.length - name.length) <= most)
    .slice(0, MAX_NAMES)
    .map((other) => ({ other, edits: editsBetween(name.toLowerCase(), other.toLowerCase()) }))
    .filter(({ edits }) => edits <= most)
  return near.toSorted((a, b) => a.edits - b.edits)[0]?.other
}

/** Letters to insert, delete, replace or swap with their neighbour (Damerau 1964, optimal string alignment). */
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
