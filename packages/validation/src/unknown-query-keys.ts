import { type ValidationIssue, misspeltName } from "@assay/schemas"
import { isObject } from "@assay/json"

/** Parameters with names in brackets, such as `filter[name]`. Their own parsers check the names. */
const BRACKETED: ReadonlySet<string> = new Set(["filter", "search"])

/** Maximum number of unknown parameters that a response reports. */
const MAX_ISSUES = 20

function namesIn(schema: unknown): string[] {
  if (!isObject(schema)) return []
  const { properties, allOf } = schema
  const parts = Array.isArray(allOf) ? allOf.flatMap(namesIn) : []
  return isObject(properties) ? [...Object.keys(properties), ...parts] : parts
}

/** Returns a function that reports unknown query parameters: a misspelt filter must not be ignored. */
export function unknownQueryKeys(schema: unknown): (query: unknown) => ValidationIssue[] {
  if (isObject(schema) && schema["additionalProperties"] === true) return () => []
  const names = namesIn(schema)
  const known = new Set(names)
  const isKnown = (key: string) => {
    if (known.has(key)) return true
    const bracket = key.indexOf("[")
    return bracket > 0 && BRACKETED.has(key.slice(0, bracket)) && known.has(key.slice(0, bracket))
  }
  return (query) => {
    const unknown: ValidationIssue[] = []
    for (const key in query as object) {
      if (isKnown(key)) continue
      unknown.push({ loc: ["query", key], msg: describeUnknownKey(key, names), type: "extra_forbidden" })
      if (unknown.length === MAX_ISSUES) break
    }
    return unknown
  }
}

function describeUnknownKey(key: string, names: readonly string[]): string {
  const meant = misspeltName(key, names)
  if (meant !== undefined) return `Unknown query parameter; did you mean '${meant}'?`
  const taken = names.length === 0 ? "no query parameters" : names.join(", ")
  return `Unknown query parameter; this operation takes ${taken}`
}
