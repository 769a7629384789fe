/** A token of a text as its endpoint returns it. Null: the endpoint does not say. */
export type TokenText = string | null

/**
 * Returns where each token begins in a text, as an index of the string, if offsets show it. Offsets count code points, and the ones of
 * vLLM count a special token before the text. They are right if the first token after the text begins exactly at its end.
 * Returns undefined for offsets that do not fit the text: those of vLLM do not if the bytes of a character are in several tokens.
 */
export function startsByOffsets(
  text: string,
  tokens: readonly string[],
  offsets: readonly number[],
): readonly number[] | undefined {
  const positions = codePointPositions(text)
  const length = positions.length - 1
  const [first = ""] = tokens
  const shift = !text.startsWith(first) && isSpecial(first) ? codePoints(first) : 0
  const own = offsets.map((offset) => offset - shift)
  const after = own.findIndex((offset) => offset >= length)
  const end = after === -1 ? (own.at(-1) ?? 0) + codePoints(tokens.at(-1) ?? "") : own[after]
  const isRising = own.every((offset, at) => Number.isInteger(offset) && offset >= (own[at - 1] ?? -shift))
  if (end !== length || !isRising) return undefined
  return own.slice(0, after === -1 ? own.length : after).map((offset) => positions[Math.max(0, offset)] ?? 0)
}

/**
 * Returns where each token begins in a text by the tokens themselves, from the last to the first. The first token can be unknown, or
 * a special one before the text. A token of an incomplete character is the replacement character, which matches any characters.
 * Returns undefined for tokens that are not those of the text.
 */
export function startsByTexts(text: string, tokens: readonly TokenText[]): readonly number[] | undefined {
  const starts: number[] = Array.from({ length: tokens.length }, () => 0)
  let position = text.length
  /** Tokens of incomplete characters between the current one and `position`. */
  let unknown = 0
  for (let at = tokens.length - 1; at > 0; at--) {
    const token = tokens[at] ?? null
    if (token === null) return undefined
    if (token.includes("\uFFFD")) {
      unknown++
      continue
    }
    const found = lastPosition(text, token, { end: position, unknown })
    if (found === undefined) return undefined
    // It is not known where in their characters these tokens begin, except for the first.
    for (let one = 1; one <= unknown; one++) starts[at + one] = found + token.length
    unknown = 0
    position = found
    starts[at] = position
  }
  const first = tokens[0] ?? null
  if (unknown > 0) {
    for (let one = 1; one <= unknown; one++) starts[one] = first === null ? 0 : Math.min(first.length, position)
    return starts
  }
  const isFirst = first === null || position === 0 || spelled(first).trimStart() === text.slice(0, position).trimStart()
  return isFirst ? starts : undefined
}

/** A token of a character has up to four bytes, and a character up to four tokens. */
const CHARACTERS_OF_TOKEN = 4

function lastPosition(
  text: string,
  token: string,
  { end, unknown }: { readonly end: number; readonly unknown: number },
): number | undefined {
  const least = end - token.length - (unknown > 0 ? 1 : 0)
  if (least < 0) return undefined
  const found = Math.max(text.lastIndexOf(token, least), text.lastIndexOf(spelled(token), least))
  return found === -1 || least - found > CHARACTERS_OF_TOKEN * unknown ? undefined : found
}

/** Returns the text of a token. Some servers show its space as a mark of the tokenizer. */
function spelled(token: string): string {
  return token.replace(/[▁Ġ]/g, " ").replace(/Ċ/g, "\n")
}

/** Returns whether a token is one that servers put before each text, such as `<s>` or `<|begin_of_text|>`. */
export function isSpecial(token: string): boolean {
  return /^(<.+>|\[.+\])$/.test(token)
}

function codePoints(text: string): number {
  return codePointPositions(text).length - 1
}

/** Returns the index of each code point of a text, and the length of the text at the end. */
function codePointPositions(text: string): readonly number[] {
  const positions: number[] = []
  for (let at = 0; at < text.length; at += (text.codePointAt(at) ?? 0) > 0xff_ff ? 2 : 1) positions.push(at)
  return [...positions, text.length]
}
