import { splitAtSpace, trimEndAtSpace } from "../split-at-space.ts"

/** How TER reads words. The defaults are those of sacreBLEU. */
export interface TerOptions {
  /** Separate punctuation from words, and read `&quot;`, `&amp;`, `&lt;` and `&gt;`. Default false. */
  readonly normalized?: boolean
  /** Leave out punctuation. Default false. */
  readonly noPunctuation?: boolean
  /** With `normalized`, each Chinese character is a word. With `noPunctuation`, Asian punctuation is left out too. Default false. */
  readonly asianSupport?: boolean
  /** Do not convert texts to lower case. Default false. */
  readonly caseSensitive?: boolean
}

/** Creates the function that splits a text into words as sacreBLEU's `tercom` tokeniser does. */
export function createTerTokenizer(options: TerOptions): (text: string) => readonly string[] {
  const { normalized = false, noPunctuation = false, asianSupport = false, caseSensitive = false } = options
  return (text) => {
    let line = trimEndAtSpace(text)
    if (!caseSensitive) line = line.toLowerCase()
    if (normalized) line = normalize(line)
    if (normalized && asianSupport) line = splitAsian(line)
    if (noPunctuation) line = line.replace(PUNCTUATION, "")
    if (noPunctuation && asianSupport) line = line.replace(ASIAN_PUNCTUATION, "")
    return splitAtSpace(line)
  }
}

const PUNCTUATION = /[.,?:;!"()]/g
const ASIAN_PUNCTUATION =
  /[\u3001\u3002\u3008-\u3011\u3014-\u301F\u30FB\uFF01\uFF02\uFF08\uFF09\uFF0C\uFF0E\uFF1A\uFF1B\uFF1F\uFF61-\uFF65]/g
/** Ideographs, strokes, radicals, compatibility and enclosed characters. */
const ASIAN_CHARACTER = /[\u2E80-\u2EFF\u31C0-\u31EF\u3200-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\uFE30-\uFE4F]/g

/** Splits runs of Asian characters. sacreBLEU keeps runs of kana together: its rule for them never matches a normalised text. */
function splitAsian(line: string): string {
  return line.replace(ASIAN_CHARACTER, " $& ").replace(ASIAN_PUNCTUATION, " $& ")
}

function normalize(text: string): string {
  const line = text
    .replaceAll("\n-", "")
    .replaceAll("\n", " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
  return ` ${line} `
    .replace(/[{-~[-` -&(-+:-@/]/g, " $& ")
    .replaceAll("'s ", " 's ")
    .replace(/([^0-9])([.,])/g, "$1 $2 ")
    .replace(/([.,])([^0-9])/g, " $1 $2")
    .replace(/([0-9])(-)/g, "$1 $2 ")
}
