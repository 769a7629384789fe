import { Type } from "@sinclair/typebox"
import { AnyName } from "../records/field-types.ts"

/** The owner of an entity. It is not stored, because rights depend on tokens here. */
export const Ownership = Type.Union([Type.Record(AnyName, Type.Unknown()), Type.Null()])
