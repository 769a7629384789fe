export type { AuditQuery } from "./resources/audit.ts"
export { createClient, type Client } from "./create-client.ts"
export type { RowAddress } from "./resources/evaluation-jobs.ts"
export type { Fetch, FetchBody, FetchInit, FetchResponse } from "@assay/http"
export type { FileContent, ReadFileOptions } from "./resources/files.ts"
export {
  filterParameters,
  formatRowFilterTerm,
  parseRowFilterTerm,
  type RowFilters,
  type RowFilterTerm,
} from "./resources/row-filters.ts"
export { listFilesetNames, withNearNames } from "./near-names.ts"
export { sendUpload } from "./resources/send-upload.ts"
export type { UploadAddress } from "./resources/uploads.ts"
export { checkBackends } from "./checks/check-backends.ts"
export { checkEndpoints } from "./checks/check-endpoints.ts"
export { readEndedJob, watchJob } from "./watch-job.ts"
export type { ClientOptions } from "./client-options.ts"
export type { CallOptions } from "./client-options.ts"
export type { RetryOptions } from "./client-options.ts"
export type { Evaluation } from "./resources/evaluation.ts"
export type { EvaluationJobs } from "./resources/evaluation-jobs.ts"
export type { Files } from "./resources/files.ts"
export type { Filesets } from "./resources/filesets.ts"
export type { Models } from "./resources/models.ts"
export type { Guardrails } from "./resources/guardrails.ts"
export type { Workspaces } from "./resources/workspaces.ts"
