const WORDS = ["-NaN", "NaN", "-Infinity", "Infinity"] as const

/**
 * JSON as Python writes it, with `null` in place of `NaN` and infinities; texts stay as they are. Takes time that grows with
 * the length alone.
 */
export function withoutMissingNumbers(text: string): string {
  const parts: string[] = []
  let [kept, at, isText] = [0, 0, false]
  while (at < text.length) {
    const character = text[at]
    if (isText) {
      if (character === "\\") at += 1
      else if (character === '"') isText = false
    } else if (character === '"') {
      isText = true
    } else if (character === "N" || character === "I" || character === "-") {
      const from = at
      const word = WORDS.find((one) => text.startsWith(one, from))
      if (word !== undefined) {
        parts.push(text.slice(kept, at), "null")
        at += word.length
        kept = at
        continue
      }
    }
    at += 1
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(kept)
}
