import { STORAGE_TYPES, vendorStorage } from "@assay/schemas"

const SIGNATURES = ["v4", "v2"]

function vendorType(word: unknown): unknown {
  return vendorStorage({ type: word })["type"]
}

/** Returns a schema of responses with the vendors' names instead of ours. */
export function vendorSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(vendorSchema)
  if (typeof schema !== "object" || schema === null) return schema
  const { const: only, enum: words } = schema as { const?: unknown; enum?: unknown }
  if ((STORAGE_TYPES as readonly unknown[]).includes(only)) return { ...schema, const: vendorType(only) }
  if (Array.isArray(words) && words.length === SIGNATURES.length && SIGNATURES.every((word) => words.includes(word))) {
    return { ...schema, enum: words.map((word) => vendorStorage({ signature_version: word })["signature_version"]) }
  }
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, vendorSchema(value)]))
}
