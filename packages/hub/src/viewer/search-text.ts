import { isExactNumber } from "@assay/json"
import { AssayError } from "@assay/schemas"

const MAX_QUERY = 1000
const MAX_WORDS = 20
const MAX_DEPTH = 20

/**
 * Returns whether the texts of a row, also nested ones, contain all words of a query in any case. There are no stems, and no order by
 * relevance.
 * @throws `bad_request`
 */
export function parseSearch(query: string): (row: unknown) => boolean {
  const words = [...new Set(query.toLowerCase().split(/\s+/u).filter(Boolean))]
  if (query.length > MAX_QUERY || words.length === 0 || words.length > MAX_WORDS) {
    throw new AssayError(
      "bad_request",
      `\`query\` needs 1 to ${MAX_WORDS} words of at most ${MAX_QUERY} characters together.`,
    )
  }
  return (row) => {
    const missing = new Set(words)
    visitTexts(row, 0, (text) => {
      const folded = text.toLowerCase()
      for (const word of missing) if (folded.includes(word)) missing.delete(word)
      return missing.size === 0
    })
    return missing.size === 0
  }
}

/** Visits all texts within a value until `visit` returns true. */
function visitTexts(value: unknown, depth: number, visit: (text: string) => boolean): boolean {
  if (typeof value === "string") return visit(value)
  if (typeof value !== "object" || value === null || isExactNumber(value) || depth > MAX_DEPTH) return false
  return Object.values(value).some((part) => visitTexts(part, depth + 1, visit))
}
