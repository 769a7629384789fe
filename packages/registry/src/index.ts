export {
  openBackupRecords,
  openCopiedRecords,
  restampRecords,
  type BackedUpFile,
  type BackupFileset,
  type BackupRecords,
  type CopiedRecords,
} from "./backup/backup-records.ts"
export { copyDatabase } from "./backup/copy-database.ts"
export type { ReadCacheSettings } from "./cache/open-read-cache.ts"
export type { DatabaseOptions } from "./database/open-database.ts"
export type { CreateDocument, Document, Documents, UpdateDocument } from "./documents/documents.ts"
export type { DocumentQuery } from "./documents/search-documents.ts"
export { checkDefaultStorage } from "./filesets/check-default-storage.ts"
export type { LocalRoot } from "./filesets/local-roots.ts"
export type { CheckFilesOptions, Damage, FilesChecked, Integrity, IntegrityProgress } from "./integrity/integrity.ts"
export type { JobEvent, JobEventKind, NewJobEvent } from "./jobs/job-event.ts"
export { JOB_LEASE_MS, type JobEnd, type JobNews, type JobRun } from "./jobs/job-run.ts"
export type { StagedResults } from "./jobs/results/staged-results.ts"
export type {
  CreateJob,
  JobChange,
  JobFilter,
  JobGrants,
  JobQuery,
  JobResultsPlace,
  Jobs,
  JobSearchField,
  JobSort,
} from "./jobs/jobs.ts"
export type { TableJournal } from "./jobs/table-journal.ts"
export type { AnalysisOutcome } from "./models/analysis-lease.ts"
export type { AnalysisRun } from "./models/analysis-run.ts"
export { openRegistry } from "./open-registry.ts"
export type { RegistryLog } from "./registry-context.ts"
export type { RegistryOptions } from "./registry-options.ts"
export type {
  Abortable,
  Caches,
  CallerRegistry,
  FileListQuery,
  Files,
  FilesetQuery,
  Filesets,
  ModelQuery,
  Models,
  PageQuery,
  SortedQuery,
  Projects,
  Registry,
  SecretRights,
  Secrets,
  VisibleWorkspaces,
  Workspaces,
} from "./registry.ts"
export { checkSecretRights } from "./secrets/check-secret-rights.ts"
export { KEY_SECRET_PREFIX } from "./secrets/sweep-key-secrets.ts"
export type { EncryptionKey } from "./secrets/key-ring.ts"
export { openSecretsRepair, type SecretsRepair, type SecretsRepairOptions } from "./secrets/open-secrets-repair.ts"
export type { UnreadableSecret } from "./secrets/unreadable-secrets.ts"
export type { Commit, Tree, TreeFile, TreeFileFacts, Trees } from "./trees/trees.ts"
export { createCommitFileset, type CommitFileset } from "./commits/commit-fileset.ts"
export type { CommitTarget } from "./commits/apply-commit.ts"
export type { CommitLine } from "./commits/receive-commit.ts"
export {
  openPendingObjects,
  type ObjectPart,
  type PendingObject,
  type PendingObjects,
  type PendingUpload,
} from "./uploads/pending-objects.ts"
export { parseUploadRecord } from "./uploads/upload-record.ts"
export {
  openUploadStore,
  type FinishUpload,
  type UploadState,
  type UploadStore,
  type UploadTarget,
} from "./uploads/upload-store.ts"
export type { PieceChecksum } from "./uploads/write-piece.ts"
