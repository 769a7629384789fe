import type { JsonSchema } from "../json-schema.ts"

/** The supported drafts of JSON Schema, with their values of `$schema`. */
export const DIALECT_ADDRESSES = {
  "2020-12": "https://json-schema.org/draft/2020-12/schema",
  "draft-07": "http://json-schema.org/draft-07/schema#",
} as const

export type Dialect = keyof typeof DIALECT_ADDRESSES

/**
 * Returns the draft of `schema`, or undefined if it does not name one.
 * @throws `Error` for an unknown draft
 */
export function dialectOf({ $schema }: JsonSchema): Dialect | undefined {
  if ($schema === undefined) return undefined
  const isNamed = (dialect: Dialect) =>
    typeof $schema === "string" && bare($schema) === bare(DIALECT_ADDRESSES[dialect])
  if (isNamed("2020-12")) return "2020-12"
  if (isNamed("draft-07")) return "draft-07"
  const known = Object.values(DIALECT_ADDRESSES).join(" or ")
  throw new Error(`has the $schema ${JSON.stringify($schema)}, which is not known; use ${known}`)
}

/** Removes the scheme and an empty fragment. */
function bare(address: string): string {
  return address.replace(/^https?:/, "").replace(/#$/, "")
}
