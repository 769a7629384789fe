import { porterStem } from "./porter-stem.ts"

const MAX_STEMS = 20_000
const LONGEST_KEPT = 40

/** Cuts texts as rouge-score does: lower case, runs of a–z and 0–9, longer ones than three letters stemmed where asked for. */
export function createRougeTokenizer(stemmer: boolean): (text: string) => readonly string[] {
  const stems = new Map<string, string>()
  const stem = (word: string): string => {
    if (word.length <= 3) return word
    const known = stems.get(word)
    if (known !== undefined) return known
    const found = porterStem(word)
    if (word.length > LONGEST_KEPT) return found
    if (stems.size === MAX_STEMS) stems.clear()
    stems.set(word, found)
    return found
  }
  return (text) => {
    const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
    return stemmer ? words.map(stem) : words
  }
}
