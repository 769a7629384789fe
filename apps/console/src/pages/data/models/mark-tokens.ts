/** A part of a prompt: a special token, or the text between two. */
export interface PromptPart {
  /** The index of its first character. */
  readonly at: number
  readonly text: string
  readonly isToken: boolean
}

/** Cuts a prompt at its special tokens. Of two tokens at one position, the longer one counts. */
export function markTokens(prompt: string, tokens: readonly string[]): readonly PromptPart[] {
  const longest = tokens.filter((token) => token !== "").toSorted((one, other) => other.length - one.length)
  if (longest.length === 0) return [{ at: 0, text: prompt, isToken: false }]
  const pattern = new RegExp(longest.map((token) => token.replaceAll(/[$()*+.?[\\\]^{|}]/gu, "\\$&")).join("|"), "gu")
  const parts: PromptPart[] = []
  let end = 0
  for (const { index, 0: token } of prompt.matchAll(pattern)) {
    if (index > end) parts.push({ at: end, text: prompt.slice(end, index), isToken: false })
    parts.push({ at: index, text: token, isToken: true })
    end = index + token.length
  }
  return end === prompt.length ? parts : [...parts, { at: end, text: prompt.slice(end), isToken: false }]
}
