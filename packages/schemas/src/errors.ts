// Entry `@assay/schemas/errors`: the error type without any schemas, for programs that must start fast.
export { AssayError, isAssayError, messageOf } from "./errors/assay-error.ts"
export { ERROR_CATALOGUE, type ErrorCode } from "./errors/error-catalogue.ts"
export { hasUrlUser, maskUrlUser } from "./requests/url-user.ts"
