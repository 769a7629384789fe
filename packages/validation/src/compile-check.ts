import type { Static, TSchema } from "@sinclair/typebox"
import { Ajv, type ValidateFunction } from "ajv"
import type { ValidationIssue } from "@assay/schemas"
import { schemaIssues } from "./schema-issues.ts"

/**
 * Options of Ajv for requests, files and settings. `validateSchema` is off: our schemas are typed, and compiling the schema
 * of schemas takes a third of the start-up time. The compiled code is not optimized, which would take a third of the time
 * until the first request is checked: the engine does it again.
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
  code: { optimize: false },
} as const

/** Returns a schema without its `$id`s. The same schema occurs in many locations, but an id may occur only once. */
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

/** Returns a function that checks a value of a file or the environment against `schema`, and fills defaults in place. */
export function compileCheck<T extends TSchema>(schema: T): (value: unknown) => CheckedValue<Static<T>> {
  let validate: ValidateFunction | undefined
  return (value) => {
    // Compiled for the first value, to keep the start-up time short.
    validate ??= new Ajv(AJV_RULES).compile(withoutIds(schema) as object)
    if (validate(value)) return { valid: true, value: value as Static<T> }
    // The location starts at the value itself, so the root is left out.
    const issues = schemaIssues(validate.errors ?? [], "body").map(({ loc, ...issue }) => ({
      ...issue,
      loc: loc.slice(1),
    }))
    return { valid: false, issues }
  }
}
