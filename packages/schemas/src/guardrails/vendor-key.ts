import { Type, type TOptional, type TSchema, type TUnion, type TNull } from "@sinclair/typebox"

/** A key that configurations of NeMo Guardrails may hold; null, which its dumps write for what is not set, is the same as absent. */
export function vendorKey<T extends TSchema>(schema: T): TOptional<TUnion<[T, TNull]>> {
  return Type.Optional(Type.Union([schema, Type.Null()]))
}
