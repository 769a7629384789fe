import type { JsonPath } from "./parse-json-path.ts"

/** The value at a path; undefined where there is none. Only what the JSON itself holds is found. */
export function readJsonPath(value: unknown, path: JsonPath): unknown {
  let current = value
  for (const step of path) {
    if (typeof current !== "object" || current === null) return undefined
    if (Array.isArray(current)) current = typeof step === "number" ? current.at(step) : undefined
    else current = Object.hasOwn(current, step) ? (current as Record<string | number, unknown>)[step] : undefined
  }
  return current
}
