import leven from "leven"

/** Longer names are not compared: no mistyped letter makes such names similar. In characters. */
const MAX_NAME = 200
/** How many names are compared: a listing may have millions. */
const MAX_NAMES = 1000

/**
 * Returns the names that `name` may mean, the nearest first: names that differ in case, owner or a few letters, and names
 * that contain it. Only the first 1,000 names of at most 200 characters are compared, so hostile input costs milliseconds.
 * @param most how many names are returned
 */
export function nearestNames(name: string, names: readonly string[], most = 3): readonly string[] {
  if (name.length > MAX_NAME) return []
  const wanted = bare(name)
  return names
    .slice(0, MAX_NAMES)
    .filter((one) => one.length <= MAX_NAME)
    .map((one) => ({ one, distance: distance(wanted, bare(one)) }))
    .filter(({ one, distance }) => distance <= Math.max(2, Math.min(wanted.length, bare(one).length) * 0.4))
    .toSorted((a, b) => a.distance - b.distance || (a.one < b.one ? -1 : 1))
    .slice(0, most)
    .map(({ one }) => one)
}

/** Returns the name of which `name` is surely a misspelling: both have at least 5 letters, and at most 2 of them differ. */
export function misspeltName(name: string, names: readonly string[]): string | undefined {
  const wanted = bare(name)
  return nearestNames(name, names).find((one) => {
    const known = bare(one)
    return Math.min(wanted.length, known.length) >= 5 && leven(wanted, known) <= 2
  })
}

/** Removes owner, case and punctuation. */
function bare(name: string): string {
  return (name.split("/").at(-1) ?? name)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .slice(0, 100)
}

/** Returns half a letter if one name contains the other, and Levenshtein's distance otherwise. */
function distance(a: string, b: string): number {
  if (a === b) return 0
  if (a.length > 2 && b.length > 2 && (a.includes(b) || b.includes(a))) return 0.5
  return leven(a, b)
}
