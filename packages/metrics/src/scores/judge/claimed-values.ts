/** Maximum number of characters of a value. Scores and labels are shorter. */
const LONGEST = 200
const OPENING_QUOTE = /["'“”‘’]/
const SEPARATOR = /^\\?["'“”‘’]\s{0,20}[:=]\s{0,20}\\?(["'“”‘’]?)/
/** A number, or words, at the beginning of a value. */
const LEAD = /^(?:[+-]?\d+(?:\.\d+)?|[\p{L}_-]+)/u
/** Between two values, this makes them a range or a choice, as in the form that a prompt asks for. */
const CHOICE = /^\s*(?:to\b|or\b|through\b|[-–—|/]|\.\.)/

/**
 * Returns the values that a text gives a quoted key, as a model writes them in damaged JSON: `"score": 1 (poor)`. Each value comes in
 * all its possible readings: as a whole, and up to its first word. Ranges and choices, such as `1-5`, are left out.
 */
export function claimedValues(text: string, key: string): readonly (readonly unknown[])[] {
  const claims: (readonly unknown[])[] = []
  if (key === "") return claims
  for (let at = text.indexOf(key); at >= 0; at = text.indexOf(key, at + key.length)) {
    if (at === 0 || !OPENING_QUOTE.test(text.charAt(at - 1))) continue
    const end = at + key.length
    const separator = SEPARATOR.exec(text.slice(end, end + LONGEST))
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

function scalarOf(word: string): unknown {
  if (word === "true" || word === "false") return word === "true"
  return /^-?\d+(?:\.\d+)?$/.test(word) ? Number(word) : word
}
