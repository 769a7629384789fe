import type { TSchema } from "@sinclair/typebox"
import { describeRange } from "@assay/json"

/**
 * Returns what a schema of a number expects, with its range: `expected a whole number from 1 to 1024`. A number or null counts. Undefined for a schema of
 * other values.
 */
export function describeNumber(schema: TSchema): string | undefined {
  const members: readonly TSchema[] = schema["anyOf"] ?? [schema]
  const [only, ...others] = members.filter(({ type }) => type !== "null")
  if (only === undefined || others.length > 0 || !isNumber(only)) return undefined
  if (only["minimum"] !== undefined && only["minimum"] === only["maximum"]) return `expected ${only["minimum"]}`
  return `expected ${describeRange(only)}${members.length > 1 ? " or null" : ""}`
}

/** Returns whether a schema is one of numbers. */
export function isNumber({ type }: TSchema): boolean {
  return type === "integer" || type === "number"
}
