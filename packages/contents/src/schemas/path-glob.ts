/**
 * Creates a test for the paths that match `glob`: `*` matches any characters except `/`, `**` any number of segments,
 * `?` one character, and `[a-z]` and `[!a-z]` one character of a set. Other characters match themselves.
 */
export function compilePathGlob(glob: string): (path: string) => boolean {
  const segments = glob.split("/").map((segment) => (segment === "**" ? null : segmentTest(segment)))
  return (path) => matchesWildcards(segments, path.split("/"))
}

function segmentTest(segment: string): (name: string) => boolean {
  const characters: Wildcard<string>[] = []
  for (const [token] of segment.matchAll(/\[[!^]?\]?[^\]]*\]|[^]/gu)) characters.push(characterTest(token))
  return (name) => matchesWildcards(characters, Array.from(name))
}

function characterTest(token: string): Wildcard<string> {
  if (token === "*") return null
  if (token === "?") return () => true
  if (token.length < 3 || !token.startsWith("[")) return (character) => character === token
  const isNegated = token[1] === "!" || token[1] === "^"
  const set = [...token.slice(isNegated ? 2 : 1, -1).matchAll(/([^])-([^])|([^])/gu)]
  return (character) => set.some(([, from, to, one]) => isWithin(character, from ?? one, to ?? one)) !== isNegated
}

function isWithin(character: string, from = "", to = ""): boolean {
  const code = character.codePointAt(0) ?? 0
  return code >= (from.codePointAt(0) ?? 0) && code <= (to.codePointAt(0) ?? 0)
}

/** One item of a pattern: a test of an item, or null for any number of items. */
type Wildcard<T> = ((item: T) => boolean) | null

/** Returns whether `items` match `pattern`. It takes at most the product of both lengths in steps. */
function matchesWildcards<T>(pattern: readonly Wildcard<T>[], items: readonly T[]): boolean {
  let at = 0
  let next = 0
  let star = -1
  let starAt = 0
  while (at < items.length) {
    const wanted = pattern[next]
    const item = items[at] as T
    if (wanted === null) {
      star = next++
      starAt = at
    } else if (wanted?.(item) === true) {
      next++
      at++
    } else if (star !== -1) {
      // Let the last star match one more item.
      next = star + 1
      at = ++starAt
    } else {
      return false
    }
  }
  return pattern.slice(next).every((wanted) => wanted === null)
}
