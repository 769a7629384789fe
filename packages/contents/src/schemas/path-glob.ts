import { matchesWildcards, type Wildcard } from "./wildcards.ts"

/**
 * A test for the paths that `glob` describes: `*` any characters but `/`, `**` any number of segments, `?` one character,
 * `[a-z]` and `[!a-z]` one of a set; everything else stands for itself.
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
