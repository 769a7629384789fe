import { CATEGORY_KEYS, VERDICT_KEYS } from "./data/verdict-keys.ts"
import { jsonEntries } from "./json-entries.ts"
import { plainKey } from "./plain-key.ts"
import { readValue } from "./read-value.ts"
import { splitCategories } from "./split-categories.ts"
import type { Aside, Findings, Statement } from "./statement.ts"

const SCORE_KEYS: ReadonlySet<string> = new Set(["score", "confidence", "probability"])

export interface JsonFindings extends Findings {
  readonly asides: readonly Aside[]
}

/** What a JSON text states. Texts inside its strings are data and state nothing; they may speak against what it states. */
export function jsonStatements(json: string): JsonFindings {
  const statements: Statement[] = []
  const categories: string[] = []
  const asides: Aside[] = []
  let score: number | undefined
  for (const { key = "", value, parent } of jsonEntries(json)) {
    const plain = plainKey(key)
    const verdict = VERDICT_KEYS.get(plain)
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
    } else if (SCORE_KEYS.has(plain) && typeof value === "number" && value >= 0 && value <= 1) score ??= value
    if (verdict === undefined)
      asides.push({ key, parent, value: Array.isArray(value) ? undefined : (value as Aside["value"]) })
  }
  return { statements, categories, asides, ...(score === undefined ? {} : { score }) }
}
