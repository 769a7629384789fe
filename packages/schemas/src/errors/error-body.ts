import { Type, type Static } from "@sinclair/typebox"
import { AnyName } from "../records/field-types.ts"
import { ERROR_CATALOGUE, type ErrorCode } from "./error-catalogue.ts"

/** One invalid location of a request. */
export const ValidationIssue = Type.Object(
  {
    loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), {
      description: "The place: `path`, `query`, `header` or `body`, then the keys down to the value.",
    }),
    msg: Type.String({ description: "The rule for the value." }),
    type: Type.String({ description: "The rule that the value breaks, as a stable word." }),
    input: Type.Optional(Type.Unknown({ description: "The value that was given. Absent if it may be secret." })),
    ctx: Type.Optional(Type.Record(AnyName, Type.Unknown(), { description: "The numbers and lists of the rule." })),
  },
  { $id: "ValidationIssue" },
)
export type ValidationIssue = Static<typeof ValidationIssue>

/** The body of the response to an invalid request (422). */
export const ValidationErrorBody = Type.Object({ detail: Type.Array(ValidationIssue) }, { $id: "ValidationErrorBody" })
export type ValidationErrorBody = Static<typeof ValidationErrorBody>

/** The body of the response to every other failed request. */
export const ErrorBody = Type.Object(
  {
    detail: Type.String({ description: "One sentence that says what was wrong and what to do." }),
    code: Type.Unsafe<ErrorCode>(
      Type.String({ enum: Object.keys(ERROR_CATALOGUE), description: "The code in the error catalogue." }),
    ),
  },
  { $id: "ErrorBody" },
)
export type ErrorBody = Static<typeof ErrorBody>
