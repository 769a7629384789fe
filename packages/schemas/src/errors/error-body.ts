import { Type, type Static } from "@sinclair/typebox"
import { AnyName } from "../records/field-types.ts"
import { ERROR_CATALOGUE, type ErrorCode } from "./error-catalogue.ts"

/** One place of a request that breaks its schema. */
export const ValidationIssue = Type.Object(
  {
    loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), {
      description: "Where: `path`, `query`, `header` or `body`, then the keys down to the value.",
    }),
    msg: Type.String({ description: "What the value must be." }),
    type: Type.String({ description: "The rule that it breaks, a stable word." }),
    input: Type.Optional(Type.Unknown({ description: "The value that was given. Absent where it may be secret." })),
    ctx: Type.Optional(Type.Record(AnyName, Type.Unknown(), { description: "The rule's own numbers and lists." })),
  },
  { $id: "ValidationIssue" },
)
export type ValidationIssue = Static<typeof ValidationIssue>

/** Answer to a request that breaks its schema (422). */
export const ValidationErrorBody = Type.Object({ detail: Type.Array(ValidationIssue) }, { $id: "ValidationErrorBody" })
export type ValidationErrorBody = Static<typeof ValidationErrorBody>

/** Answer to every other failed request. */
export const ErrorBody = Type.Object(
  {
    detail: Type.String({ description: "One sentence that says what was wrong and what to do." }),
    code: Type.Unsafe<ErrorCode>(
      Type.String({ enum: Object.keys(ERROR_CATALOGUE), description: "The entry of the error catalogue." }),
    ),
  },
  { $id: "ErrorBody" },
)
export type ErrorBody = Static<typeof ErrorBody>
