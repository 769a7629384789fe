// Entry of `@assay/schemas/validation`, which needs Ajv: checking values against schemas, and describing what is wrong.
export { boundIssues, boundTexts } from "./validation/bound-issues.ts"
export { compileCheck, withoutIds, type CheckedValue } from "./validation/compile-check.ts"
export { parseFormBody, parseJsonBody } from "./validation/request-bodies.ts"
export { createRequestChecks, type CompileTime } from "./validation/request-checks.ts"
export { vendorSchema } from "./validation/vendor-schema.ts"
