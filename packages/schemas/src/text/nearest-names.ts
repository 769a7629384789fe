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
  return names
    .slice(0, MAX_NAMES)
    .filter((one) => one.length <= MAX_NAME)
    .map((one) => {
      // Two files of one kind are not alike because of their extension.
      const extension = extensionOf(name)
      const cut = extension !== "" && extensionOf(one) === extension ? extension.length : 0
      const [wanted, known] = [bare(name.slice(0, name.length - cut)), bare(one.slice(0, one.length - cut))]
      const shorter = Math.min(wanted.length, known.length)
      return { one, distance: distance(wanted, known), most: Math.max(Math.min(2, shorter / 2), shorter * 0.4) }
    })
    .filter(({ distance, most }) => distance <= most)
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

/** Returns the extension of a file with its dot, in lower case. Empty: it has none. */
function extensionOf(name: string): string {
  return /[^/]\.(?=[a-z])[a-z0-9]{1,8}$/i.exec(name)?.[0].slice(1).toLowerCase() ?? ""
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
