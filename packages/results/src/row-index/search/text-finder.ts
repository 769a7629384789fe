/** Says whether a text contains all parts that a search wants. */
export interface TextFinder {
  /** Notes which parts a text contains. Parts that were found before are not searched again. */
  read(text: string): void
  /** Returns whether every part was found since the last call, and forgets them. */
  end(): boolean
}

/**
 * Longer parts are searched with a table. `String.prototype.includes` compares up to each character of the part at each position of a text
 * that repeats itself, which takes 280 ms for a mebibyte and a part of 1,000 characters.
 */
const MAX_PLAIN = 32

/** @param parts in lower case. The time for a text is linear in its length, whatever the parts are. */
export function createTextFinder(parts: readonly string[]): TextFinder {
  const finders = parts.map((part) => (part.length > MAX_PLAIN ? tableFinder(part) : plainFinder(part)))
  const found = new Uint8Array(parts.length)
  let missing = parts.length
  return {
    read(text) {
      if (missing === 0 || text === "") return
      const folded = text.toLowerCase()
      for (const [index, isIn] of finders.entries()) {
        if (found[index] === 1 || !isIn(folded)) continue
        found[index] = 1
        missing--
      }
    },
    end() {
      const hasAll = missing === 0
      found.fill(0)
      missing = parts.length
      return hasAll
    },
  }
}

function plainFinder(part: string): (text: string) => boolean {
  return (text) => text.includes(part)
}

/** Knuth, Morris and Pratt, "Fast Pattern Matching in Strings", SIAM Journal on Computing 6, 1977. */
function tableFinder(part: string): (text: string) => boolean {
  const borders = new Uint16Array(part.length)
  for (let at = 1, border = 0; at < part.length; at++) {
    while (border > 0 && part.charCodeAt(at) !== part.charCodeAt(border)) border = borders[border - 1] ?? 0
    if (part.charCodeAt(at) === part.charCodeAt(border)) border++
    borders[at] = border
  }
  return (text) => {
    for (let at = 0, matched = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      while (matched > 0 && code !== part.charCodeAt(matched)) matched = borders[matched - 1] ?? 0
      if (code === part.charCodeAt(matched)) matched++
      if (matched === part.length) return true
    }
    return false
  }
}
