// Entry of `@assay/schemas/errors`: the error type alone, for programs that must start fast and validate nothing.
export { AssayError, invalidRequest, isAssayError, type AssayErrorOptions } from "./assay-error.ts"
export { ERROR_CATALOGUE, type ErrorCode } from "./error-catalogue.ts"
export { hasUrlUser, maskUrlUser } from "./url-user.ts"
export type { ErrorEntry } from "./error-entry.ts"
