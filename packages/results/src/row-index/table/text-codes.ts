/** Numbers for the few distinct texts of a column. The number of "" is 0. */
export interface TextCodes {
  /** Returns the number of a text, and gives a new text the next one. */
  add(text: string): number
  /** Returns undefined for a text without a number. */
  find(text: string): number | undefined
  textOf(code: number): string
  list(): readonly string[]
}

/** More texts get the last number. Only a damaged journal has more. */
const MAX_CODE = 65_535

/** @param known the texts of numbers 0, 1, 2 … */
export function createTextCodes(known: readonly string[] = [""]): TextCodes {
  const texts = [...known]
  const codes = new Map(texts.map((text, code) => [text, code]))
  return {
    add(text) {
      const found = codes.get(text)
      if (found !== undefined) return found
      if (texts.length > MAX_CODE) return MAX_CODE
      codes.set(text, texts.length)
      return texts.push(text) - 1
    },
    find: (text) => codes.get(text),
    textOf: (code) => texts[code] ?? "",
    list: () => texts,
  }
}
