export type { Audit, AuditField, AuditQuery } from "./resources/audit.ts"
export type { Budgets } from "./resources/budgets.ts"
export type { Caches } from "./resources/caches.ts"
export type { CallOptions, ClientOptions, RetryOptions } from "./client-options.ts"
export { createClient, type Client } from "./create-client.ts"
export type { EvaluationConfigs, EvaluationDocuments, EvaluationTargets } from "./resources/evaluation-documents.ts"
export type {
  DistributionQuery,
  EvaluationJobs,
  CheckJobOptions,
  CompareRowsQuery,
  EvaluationListQuery,
  JobEventOptions,
  JobLogOptions,
  LaunchOptions,
  RowAddress,
  ScoredRowQuery,
} from "./resources/evaluation-jobs.ts"
export type { CompareOptions, Evaluation } from "./resources/evaluation.ts"
export type { Fetch, FetchBody, FetchInit, FetchResponse } from "@assay/http"
export type { FileContent, FileListQuery, Files, ReadFileOptions, WriteFileOptions } from "./resources/files.ts"
export type { FilesetListQuery, Filesets } from "./resources/filesets.ts"
export type { GuardedChatBody, Guardrails } from "./resources/guardrails.ts"
export type { AnalysisOptions, ModelListQuery, Models } from "./resources/models.ts"
export type { Projects } from "./resources/projects.ts"
export {
  formatRowFilterTerm,
  parseRowFilterTerm,
  type RowFilters,
  type RowFilterTerm,
} from "./resources/row-filters.ts"
export type { InferSchemaQuery, RowFilesQuery, RowPageQuery, Rows, ValidateQuery } from "./resources/rows.ts"
export type { Secrets } from "./resources/secrets.ts"
export type { Service } from "./resources/service.ts"
export type { Tokens } from "./resources/tokens.ts"
export {
  sendUpload,
  type NewUpload,
  type SendUploadOptions,
  type UploadAddress,
  type Uploads,
} from "./resources/uploads.ts"
export type { PageQuery, Workspaces } from "./resources/workspaces.ts"
export { checkBackends, type CheckedBackends, type CheckOptions } from "./checks/check-backends.ts"
export { checkEndpoints, type CheckEndpointsOptions } from "./checks/check-endpoints.ts"
export { type EndedJob, type JobListener, readEndedJob, type WatchedProgress, watchJob } from "./watching/watch-job.ts"
