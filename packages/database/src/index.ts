export { type Background, type BackgroundLog, createBackground } from "./background.ts"
export { checkClock, databaseTime, readDatabaseTime, readSteadyTime, watchClock } from "./clock.ts"
export { readConnectionLimit } from "./connection-limit.ts"
export {
  type Database,
  fillSlots,
  type PreparedQuery,
  type Queries,
  type Select,
  type SharedDatabase,
  slot,
  type SlotValues,
  type WriteOptions,
} from "./database.ts"
export { fold, foldJson } from "./fold.ts"
export { groupTasks, groupTasksBy } from "./group-tasks.ts"
export { migrateDatabase } from "./migrate-database.ts"
export { checkNotices, NO_NOTICES, notify, type Notices } from "./notices.ts"
export { type DatabaseOptions, mayRespondLater, openDatabase } from "./open-database.ts"
export {
  allOf,
  anyOf,
  compileFilter,
  type Condition,
  containsText,
  filteredBy,
  type FilteredTable,
  isNot,
  isWithin,
} from "./records/compile-filter.ts"
export { DOCUMENT_KINDS } from "./records/document-kinds.ts"
export {
  checkWorkspace,
  notFoundIn,
  notInTrash,
  recordNotFound,
  workspaceMissing,
  workspaceNotFound,
} from "./records/not-found.ts"
export type { Abortable, FilteredQuery, PageQuery, SortedQuery, VisibleWorkspaces } from "./records/queries.ts"
export {
  orderOf,
  pageOffset,
  readPages,
  readRecords,
  type RecordOrder,
  type RecordQuery,
  rememberRecords,
} from "./records/read-records.ts"
export { changeTime, checkFreeForm, checkStorable, createRecord, notBefore } from "./records/write-records.ts"
export { shareReads } from "./share-reads.ts"
export type { Candidates, SqlDialect } from "./sql-dialect.ts"
export type { AuditRecordTable } from "./tables/audit-tables.ts"
export type { CacheEntryTable, CacheWarmupTable } from "./tables/cache-tables.ts"
export type { GoneReason, KeptFileTable } from "./tables/history-tables.ts"
export type { EvaluationJobTable, JobEventKind, SegmentTable, ShardedJobTable } from "./tables/job-tables.ts"
export {
  type DocumentKind,
  type DocumentTable,
  type FileDigestTable,
  type FilesetTable,
  type ModelTable,
  parseJson,
  type ProjectTable,
  type RemovedFilesetTable,
  type SecretTable,
  type Tables,
  type WorkspaceTable,
} from "./tables/tables.ts"
export { parseTrashedJob, type TrashEntryTable, type TrashedJob } from "./tables/trash-tables.ts"
export type { UploadTable } from "./tables/upload-tables.ts"
