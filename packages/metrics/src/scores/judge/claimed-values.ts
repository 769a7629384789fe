/** Maximum number of characters of a value. Scores and labels are shorter. */
const LONGEST = 200
const OPENING_QUOTE = /["'“”‘’]/
const SEPARATOR = /^\\?["'“”‘’]\s{0,20}[:=]\s{0,20}\\?(["'“”‘’]?)/
/** Between a key in prose and its value, with the marks of bold text. */
const PROSE_SEPARATOR = /^[*`]{0,3}\s{0,20}[:=]\s{0,20}[*`]{0,3}\s{0,3}(["'“”‘’]?)/
const WORD = /[\p{L}\p{N}_-]/u
/** A number, or words, at the beginning of a value. */
const LEAD = /^(?:[+-]?\d+(?:\.\d+)?|[\p{L}_-]+)/u
/** Between two values, this makes them a range or a choice, as in the form that a prompt asks for. */
const CHOICE = /^\s*(?:to\b|or\b|through\b|[-–—|/]|\.\.)/

/**
 * Returns the values that a text gives a key, as a model writes them in damaged JSON, `"score": 1 (poor)`, and in prose: `Score: 1`,
 * `**Score:** 1`. Each value comes in all its possible readings: as a whole, and up to its first word. Ranges and choices, such as
 * `1-5`, are left out.
 */
export function claimedValues(text: string, key: string): readonly (readonly unknown[])[] {
  const claims: (readonly unknown[])[] = []
  if (key === "") return claims
  for (const { end, isQuoted } of keyPositions(text, key)) {
    const separator = (isQuoted ? SEPARATOR : PROSE_SEPARATOR).exec(text.slice(end, end + LONGEST))
    if (separator === null) continue
    const from = end + separator[0].length
    const value = text.slice(from, from + LONGEST)
    const written =
      separator[1] === "" ? value.replace(/[,}\]\n][\s\S]*$/, "") : value.replace(/\\?["'“”‘’][\s\S]*$/, "")
    const lead = LEAD.exec(written)?.[0] ?? ""
    if (CHOICE.test(written.slice(lead.length))) continue
    claims.push([...new Set([written.trim(), lead])].map(scalarOf))
  }
  return claims
}

interface KeyPosition {
  readonly end: number
  readonly isQuoted: boolean
}

/** Yields where a key stands after a quotation mark, or as a word of its own, in any case and with spaces for its underscores. */
function* keyPositions(text: string, key: string): Generator<KeyPosition, void, undefined> {
  const words = key.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`).replaceAll("_", "[_ ]")
  for (const { index, 0: found } of text.matchAll(new RegExp(words, "giu"))) {
    const before = text.charAt(index - 1)
    const isQuoted = OPENING_QUOTE.test(before)
    if (isQuoted || !WORD.test(before)) yield { end: index + found.length, isQuoted }
  }
}

function scalarOf(word: string): unknown {
  if (word === "true" || word === "false") return word === "true"
  return /^-?\d+(?:\.\d+)?$/.test(word) ? Number(word) : word
}
