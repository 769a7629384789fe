export { AssayError, invalidRequest, isAssayError, messageOf } from "./errors/assay-error.ts"
export { boundText, cutMiddle } from "./text/bound-text.ts"
export { AnyName, Timestamp, enumeration, formatTimestamp } from "./records/field-types.ts"
export { numberField } from "./records/number-field.ts"
export { ErrorBody, ValidationErrorBody, ValidationIssue } from "./errors/error-body.ts"
export { ERROR_CATALOGUE, type ErrorCode } from "./errors/error-catalogue.ts"
export type { ConditionEntry, ErrorEntry } from "./errors/error-entry.ts"
export { FileFolder, FileInfo, FileList, fileUrl, type CacheStatus } from "./filesets/file-info.ts"
export {
  DifferingRow,
  EndedVersion,
  FileDifference,
  FilesetChange,
  FilesetDiff,
  FilesetHistory,
  KeptUsage,
  RestoredFileset,
  RestoreFileset,
  RowDiff,
} from "./filesets/fileset-history.ts"
export {
  CreateFileset,
  FILESET_INCLUDES,
  FILESET_SORTS,
  Fileset,
  FilesetCache,
  FilesetName,
  FilesetPage,
  FilesetUsage,
  MAX_FILESET_PAGE_SIZE,
  PURPOSES,
  UpdateFileset,
  type FilesetInclude,
  type FilesetSort,
  type Purpose,
  type WarmUpStatus,
} from "./filesets/fileset.ts"
export { EmptiedTrash, RemovedFileset, RemovedJob, RestoreTrash, TrashEntry, TrashPage } from "./filesets/trash.ts"
export { RESTORABLE_UNTIL } from "./filesets/restorable-until.ts"
export {
  DEFAULT_SIGNATURE_PATH,
  MAX_DIFFERING,
  SignatureStatus,
  type SignatureMode,
} from "./filesets/signature-status.ts"
export { FilesetFilter, parseFilesetFilter } from "./filter/parse-fileset-filter.ts"
export { FILESET_FILTER_FIELDS, type FilterFieldRule, type FilterFields } from "./filter/filter-fields.ts"
export { checkSameName } from "./requests/same-name.ts"
export { matchesRecord } from "./filter/matches-record.ts"
export { parseFilter } from "./filter/parse-filter.ts"
export {
  GUARDRAIL_FILTER_FIELDS,
  MODEL_FILTER_FIELDS,
  PROJECT_FILTER_FIELDS,
  WORKSPACE_FILTER_FIELDS,
} from "./filter/record-filter-fields.ts"
export type { Filter, FilterComparison, FilterOperator, FilterScalar } from "./filter/filter.ts"
export { parseColumn, parseColumnFilters, type ColumnFilter } from "./filter/column-filter.ts"
export { formatFilter } from "./filter/format-filter.ts"
export { checkJsonShape } from "./requests/json-shape.ts"
export { DatasetMetadata, Metadata, ModelMetadata, ToolCalling } from "./filesets/metadata.ts"
export {
  CreateModel,
  Model,
  MODEL_SORTS,
  ModelAnalysis,
  ModelPage,
  UpdateModel,
  type ModelSort,
} from "./models/model.ts"
export {
  LinearLayer,
  MambaConfig,
  ModelSpec,
  MoeConfig,
  Quantization,
  SlidingWindowConfig,
  ToolCallConfig,
} from "./models/model-spec.ts"
export { ChatRenderBody, ChatRendering } from "./models/chat-rendering.ts"
export { misspeltName, nearestNames } from "./text/nearest-names.ts"
export { paginate, Pagination, RECORD_SORTS, type RecordSort } from "./records/page.ts"
export { CreatedToken, CreateToken, Grant, ROLES, Token, TokenPage, type Role } from "./access/token.ts"
export { ChangedRecord, ChangeEvent } from "./change-event.ts"
export { AUDIT_LISTING, AuditPage, AuditRecord } from "./access/audit-record.ts"
export { CreateProject, Project, ProjectPage, UpdateProject } from "./workspaces/workspace.ts"
export {
  CreateSecret,
  RotateEncryptionKeysResult,
  Secret,
  SecretPage,
  SecretRef,
  UpdateSecret,
  parseSecretRef,
  type SecretAddress,
} from "./access/secret.ts"
export { ProfileColumn, RowProfile } from "./filesets/row-profile.ts"
export {
  RowFileReport,
  RowIssue,
  RowPage,
  RowReport,
  RowSearchPage,
  RowTrial,
  RowWithIssues,
} from "./filesets/row-report.ts"
export { createBodyFields, FIELD_RULES, isKeyName, type BodyFields } from "./evaluation/bodies/body-fields.ts"
export { findFields, keepField, mapFields } from "./evaluation/bodies/map-fields.ts"
export { isLocalPath } from "./evaluation/bodies/local-path.ts"
export {
  mapSecretReferences,
  secretsNamedIn,
  secretsOfModels,
  withSecretsOf,
  withSecretsOfModels,
} from "./evaluation/bodies/secret-references.ts"
export { readBodyFacts, type BodyFacts } from "./evaluation/bodies/body-facts.ts"
export { maskKeys, storeInlineKeys } from "./evaluation/bodies/inline-keys.ts"
export { ClusterInfo, Session, SignIn, DEFAULT_SERVER_URL, ServiceStatus } from "./service.ts"
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
} from "./filesets/storage-configuration.ts"
export { checkNoUrlUsers, hasUrlKey, hasUrlUser, maskUrlUser, maskUrlUsers } from "./requests/url-user.ts"
export { neutralStorage, vendorStorage, type WireNames } from "./filesets/wire-names.ts"
export {
  BUILT_IN_WORKSPACES,
  CreateWorkspace,
  UpdateWorkspace,
  Workspace,
  WORKSPACE_NAME_PATTERN,
  WorkspaceName,
  WorkspacePage,
} from "./workspaces/workspace.ts"
export {
  ActivatedRail,
  CheckAnswer,
  CheckRequest,
  GuardedChat,
  GuardedTextRequest,
  GuardedResponse,
  GuardrailsData,
  RailMember,
  type CheckStatus,
} from "./guardrails/guardrail-check.ts"
export {
  CalibrationReport,
  type CalibratedJudge,
  type CalibratedRates,
  type CalibrationRate,
  type CalibrationRoc,
  type JudgedExample,
} from "./guardrails/calibration-report.ts"
export { GuardrailChoice, GuardrailOptions, type RailOptions } from "./guardrails/guardrail-choice.ts"
export {
  CreateGuardrailConfiguration,
  GuardrailConfiguration,
  GuardrailConfigurationPage,
  UpdateGuardrailConfiguration,
} from "./guardrails/guardrail-configuration.ts"
export {
  GuardrailData,
  GuardrailEnsemble,
  RAIL_DECISIONS,
  RailPolicy,
  type EnsembleKind,
  type RailDecision,
} from "./guardrails/guardrail-data.ts"
export { GuardrailModel } from "./guardrails/guardrail-model.ts"
export { GuardrailPrompt } from "./guardrails/guardrail-prompt.ts"
export { GUARDRAIL_ERRORS } from "./errors/guardrail-errors.ts"
export {
  JUDGE_FAMILIES,
  Unreadable,
  Verdict,
  VerdictCategory,
  type JudgeFamily,
  type Safety,
  type UnreadableReason,
} from "./guardrails/verdict.ts"
export { PACE_RANGES, PaceExchange, PaceLease, PaceReport } from "./inference/endpoint-pace.ts"
export { answerEnd, type AnswerEnd, finishReasonOf } from "./inference/answer-end.ts"
export { ChatBody, ChatMessage, TokenUsage } from "./inference/chat.ts"
export { AskableModel, AskableModelList, ResponsesBody, TextCompletionBody } from "./inference/openai-bodies.ts"
export { INFERENCE_ERRORS } from "./errors/inference-errors.ts"
export { ChangedRow, Comparison, PairComparison, ScoreComparison } from "./evaluation/comparison.ts"
export { CONDITION_CODES, CONDITIONS, type ConditionCode } from "./errors/condition-catalogue.ts"
export { Condition } from "./evaluation/conditions/condition.ts"
export { CONDITION_SIGNALS, type ConditionSignals } from "./evaluation/conditions/condition-signals.ts"
export {
  EvaluationConfig,
  EvaluationConfigBody,
  EvaluationParams,
  EvaluationTask,
  type ConfigType,
  type JobScope,
  ScoreBody,
  CONFIG_TYPES,
} from "./evaluation/evaluation-config.ts"
export {
  DatasetPin,
  EvaluationJob,
  JOB_STATUSES,
  JobStatusDetails,
  LaunchBody,
  RescoreBody,
  type JobStatus,
  UpdateJob,
} from "./evaluation/jobs/evaluation-job.ts"
export { PriceTable } from "./evaluation/prices/price-table.ts"
export { costOfTokens, findPrice, pricesOfJob, type TokenPrice } from "./evaluation/prices/token-cost.ts"
export { CorrectedDifference } from "./evaluation/decisions/corrected-difference.ts"
export { IDENTITY_PARTS, type IdentityPart } from "./evaluation/decisions/identity.ts"
export {
  type QuarantinedRows,
  type ReleaseAsked,
  type ReleaseEvaluationState,
  type ReleaseGateState,
  type ReleaseReport,
  RELEASE_TIERS,
  type ReleaseTier,
} from "./evaluation/decisions/release-report.ts"
export type { ArenaBias, ArenaReport } from "./evaluation/decisions/arena-report.ts"
export { scaleFault, scoreScale } from "./evaluation/score-scale.ts"
export {
  LaunchCheckOutcome,
  LaunchCheckProgress,
  LaunchEstimate,
  LaunchRefusal,
} from "./evaluation/launch/launch-check.ts"
export { HarnessConfig, HarnessLimits } from "./evaluation/harness-config.ts"
export { checkTransition, isFinalJobStatus, jobStatusesOf } from "./evaluation/jobs/job-statuses.ts"
export {
  DeletedEvaluationDocument,
  EvaluationConfigPage,
  EvaluationTargetPage,
  UpdateEvaluationConfig,
  UpdateEvaluationTarget,
} from "./evaluation/evaluation-documents.ts"
export { EvaluationJobPage, JobEvent, JobExplanation, JobStatusAnswer } from "./evaluation/jobs/job-answers.ts"
export {
  DOCUMENT_LISTING,
  JOB_LISTING,
  LISTING_SORTS,
  type ListingQuery,
  type ListingSort,
  WORKSPACE_LISTING,
  parseListingQuery,
} from "./evaluation/listing-query.ts"
export { LiveAnswer, LiveBody, MAX_LIVE_ROWS } from "./evaluation/jobs/live-evaluation.ts"
export { EvaluationResult, Score, ScoreStats, ScoreValue } from "./evaluation/evaluation-result.ts"
export type { EvaluationRow, EvaluationSample, KeptJudgeAnswer } from "./evaluation/rows/evaluation-row.ts"
export { askedAgain, testRow } from "./evaluation/conversation/test-row.ts"
export { MetricConfig } from "./evaluation/metric-config.ts"
export {
  ConversationConfig,
  type ConversationLimits,
  type ConversationTool,
  MAX_CALLS,
  MAX_TURNS,
  type SimulatedUser,
  repeatLimit,
  USER_PARTS,
  CONVERSATION_PARTS,
  CONVERSATION_LIMITS,
} from "./evaluation/conversation/conversation-config.ts"
export { AgentConfig, TASK_FORMAT, AGENT_PARTS, AGENT_PROGRAM } from "./evaluation/agent-config.ts"
export { MAX_TOOLS, toolFault, toolsSchema } from "./evaluation/conversation/tool-config.ts"
export type {
  ConversationCall,
  ConversationEnd,
  ConversationTurn,
  SimulatedUserRecord,
} from "./evaluation/conversation/conversation-row.ts"
export type { RowConversation } from "./evaluation/conversation/row-conversation.ts"
export { JobTrend, Leaderboard, MAX_RANKED, MAX_TREND, type TrendPoint } from "./evaluation/decisions/job-trend.ts"
export {
  ComparedRow,
  ComparedRowChange,
  ComparedRowPage,
  ComparedRowSort,
  MAX_OTHER_JOBS,
  MAX_OTHER_OUTPUT,
  type OtherSide,
} from "./evaluation/decisions/compared-row.ts"
export {
  parseRowFilters,
  parseRowSort,
  type RowFilter,
  type ItemRowFilter,
  type RowOperator,
  type RowSort,
  type TextLocation,
} from "./evaluation/rows/row-listing.ts"
export {
  LiveRow,
  RowAttempt,
  RowAttempts,
  rowAttemptOf,
  rowFieldsOf,
  ScoreDistribution,
  ScoredRow,
  ScoredRowPage,
} from "./evaluation/rows/scored-row.ts"
export type { JobRecording } from "./evaluation/jobs/job-recording.ts"
export { JobShard, JobShardPage } from "./evaluation/jobs/job-shard.ts"
export { type RowRequest, type RowRequests } from "./evaluation/rows/row-request.ts"
export {
  ApiEndpoint,
  EvaluationDataset,
  EvaluationModel,
  EvaluationTarget,
  EvaluationTargetBody,
  EMBEDDINGS_FORMAT,
  TEXT_FORMAT,
  TARGET_TYPES,
} from "./evaluation/evaluation-target.ts"
export { HubAccount } from "./hub/hub-account.ts"
export {
  ViewerFirstRows,
  ViewerParquet,
  ViewerRows,
  ViewerSize,
  ViewerSplits,
  ViewerStatistics,
  ViewerValidity,
} from "./hub/dataset-viewer.ts"
export { HUB_COMMIT_LINES, HubCommitAnswer, HubPreuploadAnswer, HubPreuploadBody } from "./hub/hub-commit.ts"
export {
  HubCommit,
  HubRefs,
  HubListedRepository,
  HubRepository,
  HubRepositoryBody,
  HubSettingsBody,
  HubSquashBody,
  HubTagBody,
  MoveHubRepositoryBody,
  HubTreeEntry,
  NewHubRepository,
  NewHubRepositoryBody,
} from "./hub/hub-repository.ts"
export { LfsBatchAnswer, LfsBatchBody, LfsBatchObject } from "./hub/lfs-batch.ts"
export { CreateDataset, Dataset, UpdateDataset } from "./platform-v1/dataset.ts"
export { CreateNamespace, DataStoreNamespace, Namespace, UpdateNamespace } from "./platform-v1/namespace.ts"
export { changesOfDataset, datasetOf, filesetOfDataset, parseDatasetFilter } from "./platform-v1/dataset-of-fileset.ts"
export { DeletedEntity, deletedEntity, entityListOf } from "./platform-v1/entity-list.ts"
export {
  dataStoreNamespaceOf,
  descriptionOf,
  namespaceOf,
  parseNamespaceListing,
} from "./platform-v1/namespace-of-workspace.ts"
export { presentJob, statusOfJob, withEventWord, withStatusWord } from "./evaluation/jobs/present-job.ts"
export { readEvaluationBody } from "./evaluation/v1-bodies.ts"

export { Baseline, BaselineList, MAX_BASELINE_HISTORY, SetBaselineBody } from "./evaluation/decisions/baselines.ts"
export { type BudgetLimit, JobBudget } from "./evaluation/decisions/budget.ts"
export { EarlyStop, JobGate, JobGateState, readGateStates } from "./evaluation/decisions/gates.ts"
export { type JudgeConclusion, JudgeReport } from "./evaluation/decisions/judge-report.ts"
export { LabelReport, ScoreCorrection } from "./evaluation/decisions/label-report.ts"
export {
  AddedLabels,
  DrawnBy,
  LabelPage,
  LabelQuestion,
  LabelQueue,
  LabelRow,
  RowsToLabel,
  LABELS_FILE,
  LABELS_FILESET,
  LabelsBody,
} from "./evaluation/decisions/labels.ts"
export { DRAWN_BY } from "./evaluation/decisions/drawn-by.ts"
export { PairLabelQueue } from "./evaluation/decisions/pair-labels.ts"
export { ScoreNoise } from "./evaluation/decisions/noise.ts"
export { MAX_SLICE_COLUMNS, MAX_SLICES, ScoreSlices, Slice, SliceDifference } from "./evaluation/decisions/slices.ts"
export { EndpointModels, EndpointModelsBody } from "./evaluation/launch/endpoint-models.ts"
export { Certificate, CertificatePlan, readCertificate, readCertificatePlan } from "./guardrails/certificate.ts"
export { guardrailFault, toGuardrailData } from "./guardrails/guardrail-shape.ts"
export { readCalibrationReport } from "./guardrails/read-calibration-report.ts"
export { isolate, isolateQuoted } from "./text/isolate.ts"
export { printable, printableJson, printableText, visibleCharacter } from "./text/printable.ts"
export {
  BudgetLimits,
  leftOfBudget,
  MonthUsage,
  reachedLimit,
  Spending,
  WorkspaceBudget,
  WorkspaceUsage,
} from "./workspaces/workspace-budget.ts"
export { defineEnumerations } from "./records/find-fault.ts"
