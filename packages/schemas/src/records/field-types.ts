import { Type, type SchemaOptions, type TUnsafe } from "@sinclair/typebox"

/**
 * The keys of a record that may be anything. Without a pattern of its own TypeBox writes one that no name with a line break
 * matches: then its value is not checked, and left out of answers.
 */
export const AnyName = Type.String({ pattern: "^" })

/** A string out of a closed list, as a plain JSON Schema `enum`: shorter in OpenAPI and in messages than a union. */
export function enumeration<const T extends readonly string[]>(
  values: T,
  options: SchemaOptions = {},
): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: "string", enum: [...values], ...options })
}

/** UTC, ISO 8601 with milliseconds and `Z`: `2026-11-20T08:14:03.120Z`. */
export const Timestamp = Type.String({ format: "date-time", examples: ["2026-11-20T08:14:03.120Z"] })

/** A point in time as every record writes it. */
export function formatTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
