export { AssayError, invalidRequest, isAssayError, type AssayErrorOptions } from "./assay-error.ts"
export { boundText, cutMiddle, MAX_MESSAGE } from "./bound-text.ts"
export { AnyName } from "./any-name.ts"
export { canonicalDecimal, compareDecimals, isDecimalMultiple, isWholeDecimal, isWithin } from "./numbers/decimal.ts"
export {
  exactNumber,
  isExactNumber,
  nearestNumber,
  nearestNumbers,
  numberText,
  type ExactNumber,
} from "./numbers/exact-number.ts"
export { createNumberFinder, type ListSuspects, type NumberFinder } from "./numbers/find-changing-number.ts"
export { parseJsonExactly, parseJsonWithRows } from "./numbers/parse-json-exactly.ts"
export { parseExactJson, type ExactJson, type KeptNumbers, type LostNumber } from "./numbers/parse-exact-json.ts"
export { enumeration } from "./enumeration.ts"
export { ErrorBody, ValidationErrorBody } from "./error-body.ts"
export { ERROR_CATALOGUE, type ErrorCode } from "./error-catalogue.ts"
export type { ErrorEntry } from "./error-entry.ts"
export { CACHE_STATUSES, FileInfo, FileList, fileUrl, type CacheStatus } from "./file-info.ts"
export {
  CreateFileset,
  FILESET_SORTS,
  Fileset,
  FilesetName,
  FilesetPage,
  MAX_FILESET_PAGE_SIZE,
  PURPOSES,
  UpdateFileset,
  type FilesetSort,
  type Purpose,
} from "./fileset.ts"
export { FilesetCache, WARM_UP_STATUSES, type WarmUpStatus } from "./fileset-cache.ts"
export { FilesetFilter } from "./filter/fileset-filter.ts"
export {
  FILESET_FILTER_FIELDS,
  type FilesetFilterColumn,
  type FilterFieldRule,
} from "./filter/fileset-filter-fields.ts"
export {
  FILTER_OPERATORS,
  type Filter,
  type FilterComparison,
  type FilterField,
  type FilterOperand,
  type FilterOperator,
  type FilterScalar,
} from "./filter/filter.ts"
export { FILTER_LIMITS } from "./filter/filter-limits.ts"
export { formatFilter } from "./filter/format-filter.ts"
export { type QueryParameter } from "./filter/parse-bracket-filter.ts"
export { parseFilesetFilter } from "./filter/parse-fileset-filter.ts"
export { checkJsonShape, findJsonExcess, JSON_LIMITS, type JsonLimits } from "./json-shape.ts"
export {
  DatasetMetadata,
  Metadata,
  ModelMetadata,
  ROW_ENFORCEMENTS,
  ToolCalling,
  type RowEnforcement,
} from "./metadata.ts"
export {
  ANALYSIS_STATUSES,
  CreateModel,
  Model,
  MODEL_SORTS,
  ModelAnalysis,
  ModelName,
  ModelPage,
  UpdateModel,
  type AnalysisStatus,
  type ModelSort,
} from "./model.ts"
export {
  LinearLayer,
  MambaConfig,
  ModelSpec,
  MoeConfig,
  Quantization,
  SlidingWindowConfig,
  ToolCallConfig,
} from "./model-spec.ts"
export { misspeltName, nearestNames } from "./nearest-names.ts"
export { pageOf, paginate, Pagination, RECORD_SORTS, type RecordSort } from "./page.ts"
export { CreateProject, Project, ProjectPage, UpdateProject } from "./project.ts"
export { CreateSecret, RotateEncryptionKeysResult, Secret, SecretPage, UpdateSecret } from "./secret.ts"
export { ProfileColumn, RowProfile } from "./row-profile.ts"
export { RowFileReport, RowIssue, RowPage, RowReport, RowWithIssues } from "./rows.ts"
export { parseSecretRef, SecretRef, type SecretAddress } from "./secret-ref.ts"
export { mapSecretReferences, secretsNamedIn, secretsOfHarness, withSecretsOf } from "./secret-references.ts"
export { ClusterInfo, DEFAULT_SERVER_URL, ServiceStatus } from "./service.ts"
export {
  CatalogStorageConfiguration,
  DEFAULT_READ_CHUNK_SIZE,
  DEFAULT_WRITE_BUFFER_SIZE,
  HubStorageConfiguration,
  LocalStorageConfiguration,
  ObjstoreStorageConfiguration,
  PUBLIC_CATALOG_HOST,
  PUBLIC_HUB_ENDPOINT,
  STORAGE_TYPES,
  StorageConfiguration,
  type StorageType,
} from "./storage-configuration.ts"
export { formatTimestamp, Timestamp } from "./timestamp.ts"
export { checkNoUrlUsers, hasUrlUser, maskUrlUser, maskUrlUsers } from "./url-user.ts"
export { ValidationIssue } from "./validation-issue.ts"
export { neutralStorage, neutralStorageType, vendorStorage, type WireNames } from "./wire-names.ts"
export {
  BUILT_IN_WORKSPACES,
  CreateWorkspace,
  UpdateWorkspace,
  Workspace,
  WORKSPACE_NAME_PATTERN,
  WorkspaceName,
  WorkspacePage,
} from "./workspace.ts"
export type { ConditionEntry } from "./condition-entry.ts"
export {
  ActivatedRail,
  CHECK_STATUSES,
  CheckAnswer,
  CheckRequest,
  GuardrailsData,
  RailMember,
  type CheckStatus,
} from "./guardrails/guardrail-check.ts"
export { GuardrailChoice, GuardrailOptions, type RailOptions } from "./guardrails/guardrail-choice.ts"
export { GuardedChat } from "./guardrails/guarded-chat.ts"
export {
  CreateGuardrailConfiguration,
  GuardrailConfiguration,
  GuardrailConfigurationPage,
  UpdateGuardrailConfiguration,
} from "./guardrails/guardrail-configuration.ts"
export {
  ENSEMBLE_KINDS,
  GuardrailData,
  GuardrailEnsemble,
  RAIL_DECISIONS,
  RailPolicy,
  type EnsembleKind,
  type RailDecision,
} from "./guardrails/guardrail-data.ts"
export { GuardrailModel } from "./guardrails/guardrail-model.ts"
export { GuardrailPrompt } from "./guardrails/guardrail-prompt.ts"
export { GUARDRAIL_ERRORS } from "./guardrails/guardrail-errors.ts"
export {
  JUDGE_FAMILIES,
  SAFETY_VALUES,
  Unreadable,
  UNREADABLE_REASONS,
  Verdict,
  VerdictCategory,
  type JudgeFamily,
  type Safety,
  type UnreadableReason,
} from "./guardrails/verdict.ts"
export { ChatBody, ChatMessage, TokenUsage } from "./inference/chat.ts"
export { INFERENCE_ERRORS } from "./inference/inference-errors.ts"
export { ChangedRow, Comparison, PairComparison, ScoreComparison } from "./evaluation/comparison.ts"
export { Condition, CONDITION_CODES, CONDITIONS, type ConditionCode } from "./evaluation/condition.ts"
export { CONDITION_SIGNALS, type ConditionSignals } from "./evaluation/condition-signals.ts"
export {
  CONFIG_TYPES,
  EvaluationConfig,
  EvaluationConfigBody,
  EvaluationParams,
  EvaluationTask,
  MetricConfig,
  type ConfigType,
} from "./evaluation/evaluation-config.ts"
export {
  DatasetPin,
  EvaluationJob,
  evaluationPageOf,
  JOB_STATUSES,
  JobStatusDetails,
  LaunchBody,
  LaunchRefusal,
  type JobStatus,
} from "./evaluation/evaluation-job.ts"
export { HarnessConfig } from "./evaluation/harness-config.ts"
export { HarnessLimits } from "./evaluation/harness-limits.ts"
export type { JobScope } from "./evaluation/job-scope.ts"
export { checkTransition, isFinalJobStatus } from "./evaluation/job-transitions.ts"
export {
  DeletedEvaluationDocument,
  EvaluationConfigPage,
  EvaluationTargetPage,
  UpdateEvaluationConfig,
  UpdateEvaluationTarget,
} from "./evaluation/evaluation-documents.ts"
export { jobStatusesOf, vendorJobStatus } from "./evaluation/evaluation-words.ts"
export {
  EvaluationJobPage,
  JOB_EVENT_KINDS,
  JobEvent,
  JobExplanation,
  JobStatusAnswer,
  type JobEventKind,
} from "./evaluation/job-answers.ts"
export {
  DOCUMENT_LISTING,
  JOB_LISTING,
  LISTING_SORTS,
  type ListingFields,
  type ListingQuery,
  type ListingSort,
  type MomentRange,
  WORKSPACE_LISTING,
} from "./evaluation/listing-query.ts"
export { LiveAnswer, LiveBody, MAX_LIVE_ROWS } from "./evaluation/live-evaluation.ts"
export { parseListingQuery, type ParsedListing } from "./evaluation/parse-listing-query.ts"
export { ScoreBody } from "./evaluation/score-body.ts"
export { EvaluationResult, RepeatStats, Score, ScoreStats, ScoreValue } from "./evaluation/evaluation-result.ts"
export type { EvaluationRow, EvaluationSample } from "./evaluation/evaluation-row.ts"
export {
  ApiEndpoint,
  EvaluationDataset,
  EvaluationModel,
  EvaluationTarget,
  EvaluationTargetBody,
  TARGET_TYPES,
  type TargetType,
} from "./evaluation/evaluation-target.ts"
