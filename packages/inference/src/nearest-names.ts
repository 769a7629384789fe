/** Characters of a name, above which nothing is near it: no letter that was mistaken makes such names alike. */
const LONGEST = 200
/** Names that are compared; a listing may have millions. */
const MAX_NAMES = 1000

/**
 * Names that may be meant by `name`, nearest first: equal but for case or owner, containing it, or few letters away. Only
 * the first 1,000 names of at most 200 characters are compared, so hostile names cost milliseconds.
 */
export function nearestNames(name: string, names: readonly string[], most = 3): readonly string[] {
  if (name.length > LONGEST) return []
  const wanted = bare(name)
  return names
    .slice(0, MAX_NAMES)
    .filter((one) => one.length <= LONGEST)
    .map((one) => ({ one, distance: distance(wanted, bare(one)) }))
    .filter(({ one, distance }) => distance <= Math.max(2, Math.min(wanted.length, bare(one).length) * 0.4))
    .toSorted((a, b) => a.distance - b.distance || (a.one < b.one ? -1 : 1))
    .slice(0, most)
    .map(({ one }) => one)
}

/** Without owner, case and punctuation. */
function bare(name: string): string {
  return (name.split("/").at(-1) ?? name)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .slice(0, 100)
}

/** The name of which `name` is surely a misspelling: both have five letters or more, and at most two of them differ. */
export function misspeltName(name: string, names: readonly string[]): string | undefined {
  const wanted = bare(name)
  return nearestNames(name, names).find((one) => {
    const known = bare(one)
    return Math.min(wanted.length, known.length) >= 5 && letters(wanted, known) <= 2
  })
}

/** Half a letter where one holds the other, else Levenshtein's distance. */
function distance(a: string, b: string): number {
  if (a === b) return 0
  if (a.length > 2 && b.length > 2 && (a.includes(b) || b.includes(a))) return 0.5
  return letters(a, b)
}

/** Levenshtein's distance. */
function letters(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let at = 1; at <= a.length; at++) {
    const next = [at]
    for (let to = 1; to <= b.length; to++) {
      const replaced = (row[to - 1] ?? 0) + (a[at - 1] === b[to - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
