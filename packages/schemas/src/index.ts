export { AssayError, invalidRequest, isAssayError, type AssayErrorOptions } from "./assay-error.ts"
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
export { pageOf, paginate, Pagination } from "./page.ts"
export { CreateProject, Project, ProjectPage, UpdateProject } from "./project.ts"
export { CreateSecret, RotateEncryptionKeysResult, Secret, SecretPage, UpdateSecret } from "./secret.ts"
export { ProfileColumn, RowProfile } from "./row-profile.ts"
export { RowFileReport, RowIssue, RowPage, RowReport, RowWithIssues } from "./rows.ts"
export { parseSecretRef, SecretRef, type SecretAddress } from "./secret-ref.ts"
export { ClusterInfo, ServiceStatus } from "./service.ts"
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
