import { Type, type SchemaOptions, type TUnsafe } from "@sinclair/typebox"

/** A string out of a closed list, as a plain JSON Schema `enum`: shorter in OpenAPI and in messages than a union. */
export function enumeration<const T extends readonly string[]>(
  values: T,
  options: SchemaOptions = {},
): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: "string", enum: [...values], ...options })
}
