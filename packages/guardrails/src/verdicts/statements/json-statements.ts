import { splitCategories } from "../categories.ts"
import { CATEGORY_KEYS, QUALIFIED_KEYS, VERDICT_KEYS, type VerdictKey } from "../data/keys.ts"
import { plainKey } from "../text/plain-words.ts"
import { endOfString } from "./json-regions.ts"
import { readValue } from "./read-value.ts"
import type { Aside, Findings, Statement } from "./statement.ts"

const SCORE_KEYS: ReadonlySet<string> = new Set(["score", "confidence", "probability"])

export interface JsonFindings extends Findings {
  readonly asides: readonly Aside[]
}

/** Reads the statements of a JSON text. Texts in its strings are data and state nothing, but they can contradict a statement. */
export function jsonStatements(json: string): JsonFindings {
  const statements: Statement[] = []
  const categories: string[] = []
  const asides: Aside[] = []
  const applied: boolean[] = []
  let score: number | undefined
  for (const { key = "", value, parent } of jsonEntries(json)) {
    const plain = plainKey(key)
    const verdict = VERDICT_KEYS.get(plain) ?? qualifiedKey(plain, value)
    if (verdict !== undefined) {
      const { side, group, vocabulary } = verdict
      const read = readValue(value, vocabulary)
      statements.push({ side, group, value: read, isJson: true, isAnchored: true })
      if (read === "unknown" && typeof value === "string") asides.push({ key: "verdict", parent, value })
    } else if (CATEGORY_KEYS.has(plain)) {
      if (typeof value === "string") categories.push(...splitCategories(value))
      else if (Array.isArray(value)) categories.push(...value.flatMap((text: string) => splitCategories(text)))
    } else if (parent !== undefined && value === true && CATEGORY_KEYS.has(plainKey(parent))) {
      categories.push(key)
      applied.push(value)
    } else if (parent !== undefined && value === false && CATEGORY_KEYS.has(plainKey(parent))) {
      applied.push(value)
    } else if (SCORE_KEYS.has(plain) && typeof value === "number" && value >= 0 && value <= 1) score ??= value
    if (verdict === undefined)
      asides.push({ key, parent, value: Array.isArray(value) ? undefined : (value as Aside["value"]) })
  }
  // A moderation endpoint can have no flag of its own. It calls a text harmful if any category applies.
  if (applied.includes(true) || (statements.length === 0 && applied.length > 0)) {
    const value = applied.includes(true) ? "unsafe" : "safe"
    statements.push({ side: "direction", group: "flagged", value, isJson: true, isAnchored: true })
  }
  return { statements, categories, asides, score }
}

/** Returns the meaning of a key that is a common word, if its value is of its vocabulary. */
function qualifiedKey(plain: string, value: unknown): VerdictKey | undefined {
  const key = QUALIFIED_KEYS.get(plain)
  if (key === undefined) return undefined
  const read = readValue(value, key.vocabulary)
  return read === "safe" || read === "unsafe" ? key : undefined
}

/** A key of an object with its value, or the strings at the beginning of a list. */
export interface JsonEntry {
  /** Undefined: a text in a list. */
  readonly key: string | undefined
  readonly value: string | number | boolean | null | readonly string[] | undefined
  /** The key of the innermost object or list around the entry. */
  readonly parent: string | undefined
}

/**
 * Returns all keys of a JSON text with their values, and the texts in its lists, at any depth and in the order of the text.
 * Duplicate keys of one object are included. The text must be valid JSON. If a value is an object, it is `undefined`, and its own
 * keys follow.
 */
export function* jsonEntries(json: string): Generator<JsonEntry> {
  const holders: (string | undefined)[] = []
  let holder: string | undefined
  let at = 0
  while (at < json.length) {
    const code = json.charCodeAt(at)
    if (code === 0x7b || code === 0x5b) {
      holders.push(holder)
      at += 1
    } else if (code === 0x7d || code === 0x5d) {
      holder = holders.pop()
      at += 1
    } else if (code === 0x22) {
      const end = endOfString(json, at)
      const colon = skipBlanks(json, end)
      if (json[colon] !== ":") {
        yield { key: undefined, value: JSON.parse(json.slice(at, end)) as string, parent: holder }
        at = end
        continue
      }
      const key = JSON.parse(json.slice(at, end)) as string
      at = skipBlanks(json, colon + 1)
      holder = key
      yield { key, value: valueAt(json, at), parent: holders.at(-1) }
      if (json.charCodeAt(at) === 0x22) at = endOfString(json, at)
    } else at += 1
  }
}

function valueAt(json: string, at: number): JsonEntry["value"] {
  switch (json.charAt(at)) {
    case '"':
      return JSON.parse(json.slice(at, endOfString(json, at))) as string
    case "{":
      return undefined
    case "[":
      return stringsOf(json, at + 1)
    case "t":
      return true
    case "f":
      return false
    case "n":
      return null
    default:
      return Number.parseFloat(json.slice(at, at + 32))
  }
}

function stringsOf(json: string, from: number): readonly string[] {
  const strings: string[] = []
  let at = skipBlanks(json, from)
  while (json[at] === '"') {
    const end = endOfString(json, at)
    strings.push(JSON.parse(json.slice(at, end)) as string)
    at = skipBlanks(json, end)
    if (json[at] === ",") at = skipBlanks(json, at + 1)
  }
  return strings
}

function skipBlanks(json: string, from: number): number {
  let at = from
  while (at < json.length && json.charCodeAt(at) <= 0x20) at += 1
  return at
}
