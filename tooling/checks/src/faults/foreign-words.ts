/** Words that describe where or how a text was written. They mean nothing to its readers. */
const FOREIGN: readonly RegExp[] = [
  /(?<![\w.])\/(work|root|home|Users)\/\w/,
  /\/tmp\/\w/,
  /\bregistry\.[a-z0-9-]+\.(com|org|net|io|dev|internal|local)\b/i,
  // A session of a browser is ended, signed and shown: "the session" alone is a word of the product.
  /\b((this|last|next)\s+(coding\s+)?|the\s+coding\s+)session\b/i,
  /\bas\s+an?\s+(ai|language\s+model)\b/i,
  /\b(generated|written|made)\s+(by|with)\s+(an?\s+)?(ai|claude|chatgpt|copilot)\b/i,
  /\bco-authored-by\b/i,
]

/** Returns the lines of a text with such words, as `path:line: line`. */
export function foreignLines(path: string, text: string): readonly string[] {
  return text
    .split("\n")
    .map((line, index) => ({ line, place: `${path}:${index + 1}` }))
    .filter(({ line }) => FOREIGN.some((word) => word.test(line)))
    .map(({ line, place }) => `${place}: ${line.trim()}`)
}
