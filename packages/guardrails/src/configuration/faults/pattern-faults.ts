import { fieldsOf, isJsonObject } from "@assay/json"
import { createLinearPattern } from "@assay/metrics"
import { isAssayError, type ValidationIssue } from "@assay/schemas"
import { type DetectionPattern, readPatterns, searched } from "../detection-patterns.ts"
import type { EffectiveData } from "../effective-data.ts"
import { configurationFault } from "./configuration-fault.ts"

type Loc = readonly (string | number)[]

const PATTERN_LIMITS = { patterns: 100, characters: 1000 } as const
const KEY = "regex_detection"

/** Lists the faults of the patterns of a configuration: their number, their length and their syntax. */
export function patternFaults({ rails }: EffectiveData): readonly ValidationIssue[] {
  const detection = fieldsOf(rails.config?.[KEY])
  const loc = ["rails", "config", KEY]
  return Object.entries(detection).flatMap(([place, options]) => {
    if (place !== "tool_input" && place !== "tool_output") return listFaults(options, [...loc, place])
    return Object.entries(fieldsOf(options)).flatMap(([tool, own]) => listFaults(own, [...loc, place, tool]))
  })
}

function listFaults(options: unknown, loc: Loc): readonly ValidationIssue[] {
  const { patterns } = fieldsOf(options)
  if (patterns === undefined || patterns === null) return []
  const at = [...loc, "patterns"]
  if (!Array.isArray(patterns)) return [configurationFault(at, "must be a list of patterns", "list_type")]
  if (patterns.length > PATTERN_LIMITS.patterns) {
    return [
      configurationFault(at, `has ${patterns.length} patterns; ${PATTERN_LIMITS.patterns} are allowed`, "too_long"),
    ]
  }
  return patterns.flatMap((one: unknown, index) => {
    const isGiven = typeof one === "string" || (isJsonObject(one) && typeof one["pattern"] === "string")
    if (!isGiven) return [configurationFault([...at, index], "must be a pattern as text", "string_type")]
    return patternFault(readPatterns({ ...fieldsOf(options), patterns: [one] })[0], [...at, index])
  })
}

function patternFault(pattern: DetectionPattern | undefined, loc: Loc): readonly ValidationIssue[] {
  if (pattern === undefined) return []
  const { length } = pattern.text
  if (length > PATTERN_LIMITS.characters) {
    const msg = `has ${length} characters; ${PATTERN_LIMITS.characters} are allowed`
    return [configurationFault(loc, msg, "string_too_long")]
  }
  try {
    createLinearPattern(searched(pattern), [])
    return []
  } catch (error) {
    if (!isAssayError(error, "invalid_request")) throw error
    return [configurationFault(loc, error.issues[0]?.msg ?? error.message, "pattern", pattern.text)]
  }
}
