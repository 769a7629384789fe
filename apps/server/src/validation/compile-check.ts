import type { ValidationIssue } from "@assay/schemas"
import type { Static, TSchema } from "@sinclair/typebox"
import { Ajv, type ValidateFunction } from "ajv"
import { withoutIds } from "./without-ids.ts"
import { AJV_RULES } from "./ajv-rules.ts"
import { schemaIssues } from "./schema-issues.ts"

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
