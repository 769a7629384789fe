import { ErrorBody, ValidationErrorBody } from "@assay/schemas"

/** The answers that any operation can give besides its own. */
export const errorResponses = {
  422: ValidationErrorBody,
  "4xx": ErrorBody,
  "5xx": ErrorBody,
} as const
