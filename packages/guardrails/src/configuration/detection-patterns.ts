import { fieldsOf, listOf } from "@assay/json"
import type { RailPlace } from "@assay/schemas"
import type { EffectiveData } from "./effective-data.ts"
import { withUnicodeClasses } from "./unicode-classes.ts"

/** A pattern of `rails.config.regex_detection`. */
export interface DetectionPattern {
  /** As it is written in the configuration, for Python. */
  readonly text: string
  readonly ignoresCase: boolean
}

/** Returns the patterns for a place, or for one tool at a place. */
export function patternsOf(
  { rails }: EffectiveData,
  place: RailPlace,
  tool: string | null,
): readonly DetectionPattern[] {
  const found = fieldsOf(rails.config?.["regex_detection"])[place]
  return readPatterns(tool === null ? found : fieldsOf(found)[tool])
}

/** Reads the patterns of one place. A pattern is a text, or an object with its mask, which has no effect. */
export function readPatterns(options: unknown): readonly DetectionPattern[] {
  const { patterns, case_insensitive: ignoresCase } = fieldsOf(options)
  return listOf(patterns).map((one) => {
    const text = typeof one === "string" ? one : fieldsOf(one)["pattern"]
    return { text: typeof text === "string" ? text : "", ignoresCase: ignoresCase === true }
  })
}

/** Returns a pattern as it is searched: in the syntax of RE2, with Python's meaning of `\d`, `\s` and `\w`. */
export function searched({ text, ignoresCase }: DetectionPattern): string {
  return `${ignoresCase ? "(?i)" : ""}${withUnicodeClasses(text)}`
}
