import { Type, type SchemaOptions, type TUnsafe } from "@sinclair/typebox"

/**
 * The type of record keys that can be any text. Without this pattern, TypeBox uses one that does not match line breaks: values of such
 * keys would not be checked and would be missing in responses.
 */
export const AnyName = Type.String({ pattern: "^" })

/** Creates the schema of a string from a closed list, as a JSON Schema `enum`. It is shorter in OpenAPI and in messages than a union. */
export function enumeration<const T extends readonly string[]>(
  values: T,
  options: SchemaOptions = {},
): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: "string", enum: [...values], ...options })
}

/** Creates the schema of a value of a simple type, or null. */
export function orNull<T>(type: "integer" | "string" | "number" | "boolean", description: string): TUnsafe<T | null> {
  return Type.Unsafe<T | null>({ type: [type, "null"], description })
}

/** The custom fields of a record. */
export const CustomFields = Type.Record(AnyName, Type.Unknown(), { description: "Any keys with values of any type." })

/** UTC, ISO 8601 with milliseconds and `Z`: `2026-11-20T08:14:03.120Z`. */
export const Timestamp = Type.String({ format: "date-time", examples: ["2026-11-20T08:14:03.120Z"] })

/** Formats a point in time as in every record. @param milliseconds since 1970, UTC */
export function formatTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
