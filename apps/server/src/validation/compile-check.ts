import type { ValidationIssue } from "@assay/schemas"
import type { Static, TSchema } from "@sinclair/typebox"
import { Ajv, type ValidateFunction } from "ajv"
import { schemaIssues } from "./schema-issues.ts"

/**
 * Options of Ajv for requests and for files and settings. `validateSchema` is off: our schemas are typed, and to compile the
 * schema of schemas takes a third of a server's start.
 */
export const AJV_RULES = {
  allErrors: true,
  discriminator: true,
  useDefaults: true,
  verbose: true,
  strict: false,
  validateFormats: false,
  meta: false,
  validateSchema: false,
} as const

/** A schema without the `$id`s inside it: one schema is used in many places, and ids may stand only once. */
export function withoutIds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutIds)
  if (typeof schema !== "object" || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !(key === "$id" && typeof value === "string"))
      .map(([key, value]) => [key, withoutIds(value)]),
  )
}

export type CheckedValue<T> =
  | { readonly valid: true; readonly value: T }
  | { readonly valid: false; readonly issues: readonly ValidationIssue[] }

/** A check of values that come from a file or the environment against their schema; fills defaults in place. */
export function compileCheck<T extends TSchema>(schema: T): (value: unknown) => CheckedValue<Static<T>> {
  let validate: ValidateFunction | undefined
  return (value) => {
    // Compile on the first value: it keeps the start of a server short.
    validate ??= new Ajv(AJV_RULES).compile(withoutIds(schema) as object)
    if (validate(value)) return { valid: true, value: value as Static<T> }
    // The root is the value itself: what stands before the keys would only be in the way of a message.
    const issues = schemaIssues(validate.errors ?? [], "body").map(({ loc, ...issue }) => ({
      ...issue,
      loc: loc.slice(1),
    }))
    return { valid: false, issues }
  }
}
