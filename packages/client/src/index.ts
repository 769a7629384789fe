export type { Caches } from "./caches.ts"
export type { CallOptions, ClientOptions, RetryOptions } from "./client-options.ts"
export { createClient, type Client } from "./create-client.ts"
export type { EvaluationConfigs, EvaluationDocuments, EvaluationTargets } from "./evaluation-documents.ts"
export type {
  EvaluationJobs,
  EvaluationListQuery,
  JobEventOptions,
  JobLogOptions,
  LaunchOptions,
} from "./evaluation-jobs.ts"
export type { CompareOptions, Evaluation } from "./evaluation.ts"
export type { Fetch, FetchBody, FetchInit, FetchResponse } from "./fetch.ts"
export type { FileListQuery, Files, WriteFileOptions } from "./files.ts"
export type { FilesetListQuery, Filesets } from "./filesets.ts"
export type { GuardedChatBody, Guardrails } from "./guardrails.ts"
export type { AnalysisOptions, ModelListQuery, Models } from "./models.ts"
export type { Projects } from "./projects.ts"
export type { FileContent, ReadFileOptions } from "./read-file.ts"
export type { InferSchemaQuery, RowFilesQuery, RowPageQuery, Rows, ValidateQuery } from "./rows.ts"
export type { Secrets } from "./secrets.ts"
export { sendUpload, type SendUploadOptions } from "./send-upload.ts"
export type { Service } from "./service.ts"
export type { NewUpload, UploadAddress, Uploads } from "./uploads.ts"
export type { PageQuery, Workspaces } from "./workspaces.ts"
