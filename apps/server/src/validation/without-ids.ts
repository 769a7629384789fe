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
