import { Type, type TOptional, type TSchema, type TUnion, type TNull } from "@sinclair/typebox"

/** Creates the schema of an optional key of NeMo Guardrails. Null means absent, because its dumps write null for keys that are not set. */
export function vendorKey<T extends TSchema>(schema: T): TOptional<TUnion<[T, TNull]>> {
  return Type.Optional(Type.Union([schema, Type.Null()]))
}
