import { Type, type Static } from "@sinclair/typebox"
import { ERROR_CATALOGUE, type ErrorCode } from "./error-catalogue.ts"
import { ValidationIssue } from "./validation-issue.ts"

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
