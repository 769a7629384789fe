import { SGUARD } from "../data/category-tables.ts"
import type { Value } from "../statements/statement.ts"
import { readingFor, type BareReading, type JudgeFamilyForm } from "./judge-family-form.ts"
import { readSafeOrUnsafe } from "./llama-guard.ts"

const NAMES = Object.keys(SGUARD)
const ANY_NAME = NAMES.join("|")
const FORM = new RegExp(`^${NAMES.map((name) => `${name}: ?(safe|unsafe)`).join(", ?")}\\n?$`)
const RATING = new RegExp(
  String.raw`^[\s*_"'\`{([-]{0,10}(${ANY_NAME})[\s*_"'\`]{0,6}[:=][\s*_"'\`]{0,6}([a-z ]{0,20}?)[\s*_"'\`.)}\]]{0,6}$`,
  "i",
)
const WORDS: Readonly<Record<string, Value>> = { safe: "safe", unsafe: "unsafe" }

/** SGuard: a rating of each of five categories. Its other model, for attacks on prompts, writes one word. */
export const sguard: JudgeFamilyForm = {
  family: "sguard",
  group: "bare",
  readExact(text, direction) {
    const match = FORM.exec(text)
    if (match === null) return undefined
    const harms = NAMES.filter((_, index) => match[index + 1] === "unsafe")
    return readingFor(harms.length > 0 ? "unsafe" : "safe", direction, harms)
  },
  readBare(text) {
    return readRatings(text) ?? readSafeOrUnsafe(text)
  },
  format({ user_safety: user, response_safety: response, categories }) {
    const harms = new Set(categories.map(({ raw }) => raw))
    // The model for attacks on prompts names no category.
    if ((user ?? response) !== "safe" && harms.size === 0) return "unsafe"
    return NAMES.map((name) => `${name}:${harms.has(name) ? "unsafe" : "safe"}`).join(", ")
  },
}

/** Reads the ratings. The text is safe only if it has all five and none says unsafe. Undefined: it does not begin with one. */
function readRatings(text: string): BareReading | undefined {
  const pieces = text.split(/[,;\n]/).filter((piece) => piece.trim() !== "")
  const ratings = pieces.map((piece) => RATING.exec(piece))
  if (ratings[0] === null || ratings[0] === undefined) return undefined
  const values = new Map<string, Value>()
  for (const [, name = "", word = ""] of ratings.filter((rating) => rating !== null)) {
    const value = WORDS[word.toLowerCase()] ?? (word === "" ? "cut" : "unknown")
    const key = NAMES.find((one) => one.toLowerCase() === name.toLowerCase()) ?? name
    // A category that is rated twice is safe only if both ratings are.
    const before = values.get(key) ?? "safe"
    if (value === "unsafe" || before === "safe") values.set(key, value)
  }
  const harms = [...values].flatMap(([name, value]) => (value === "unsafe" ? [name] : []))
  const rest = pieces.filter((_, index) => ratings[index] === null).join("\n")
  if (harms.length > 0) return { values: ["unsafe"], categories: harms, rest }
  const isWhole = NAMES.every((name) => values.has(name))
  return { values: [...values.values(), ...(isWhole ? [] : (["cut"] as const))], categories: [], rest }
}
