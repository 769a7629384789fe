import { fieldsOf } from "@assay/json"
import type { RailPlace } from "@assay/schemas"
import { patternsOf, searched } from "../../configuration/detection-patterns.ts"
import type { EffectiveData } from "../../configuration/effective-data.ts"
import type { CheckJson } from "./rule.ts"

/** Returns the reason why texts are blocked: the pattern that one of them contains. Null: none does. @throws as `checkJson` */
export type FindPattern = (texts: readonly string[]) => Promise<string | null>

/** Compiles the patterns of a place, or of one of its tools. They are searched within the limits of `checkJson`. */
export function openPatterns(
  data: EffectiveData,
  { place, tool }: { readonly place: RailPlace; readonly tool: string | null },
  checkJson: CheckJson,
): FindPattern {
  const patterns = patternsOf(data, place, tool)
  const schemas = patterns.map((pattern) => ({ not: { pattern: searched(pattern) } }))
  return async (texts) => {
    const json = JSON.stringify(texts)
    if (schemas.length === 0 || (await checkJson({ items: { allOf: schemas } }, json)) === null) return null
    for (const [index, schema] of schemas.entries()) {
      if ((await checkJson({ items: schema }, json)) !== null) return `The text contains '${patterns[index]?.text}'.`
    }
    return "The text contains a pattern."
  }
}

/** Returns every text of a JSON value, with the names of properties. */
export function textsOf(value: unknown): readonly string[] {
  const texts: string[] = []
  const waiting = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next === "string") texts.push(next)
    else if (Array.isArray(next)) for (const part of next) waiting.push(part)
    else {
      for (const [key, part] of Object.entries(fieldsOf(next))) {
        texts.push(key)
        waiting.push(part)
      }
    }
  }
  return texts
}
