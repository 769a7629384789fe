// Entry of `@assay/schemas/openapi`: the operations of the HTTP API, their examples, and the OpenAPI document around them.
export { describeDocument, describeRoute } from "./openapi/describe-document.ts"
export { addressOf, OPERATIONS } from "./openapi/describe-operations.ts"
export { DOCUMENT_HEAD } from "./openapi/document-head.ts"
export { EXAMPLE_ENDPOINT, EXAMPLE_JOB, EXAMPLE_UPLOAD } from "./openapi/operation.ts"
