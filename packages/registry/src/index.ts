export type { AuditedWrite } from "./audit/audited-write.ts"
export type { Audit, AuditQuery } from "./audit/create-audit.ts"
export type { Change } from "./changes/change.ts"
export type { Changes } from "./changes/create-changes.ts"
export type { ReadCacheSettings } from "./cache/open-read-cache.ts"
export type { CreateDocument, Document, Documents } from "./documents/documents.ts"
export type { DocumentQuery } from "./documents/search-documents.ts"
export type { FileDifference } from "./history/compare-states.ts"
export type { History } from "./history/history.ts"
export { isBrowsing } from "./files/browse-files.ts"
export type { TrashItem } from "./filesets/removal/trash.ts"
export type { FileListing } from "./files/share-listings.ts"
export type { Integrity } from "./integrity/integrity.ts"
export type { JobEvent, NewJobEvent } from "./jobs/job-events.ts"
export { FIRST_LEASE_MS, JOB_LEASE_MS } from "./jobs/job-lease.ts"
export type { JobEnd, JobNews, JobRun } from "./jobs/job-run.ts"
export type { CreateJob, DiscardedJob, JobFilter, JobQuery, Jobs } from "./jobs/jobs.ts"
export type { JobGrants } from "./jobs/job-grants.ts"
export type { StoredJournal } from "./jobs/stored-journal.ts"
export { groupSegments } from "./jobs/shards/group-segments.ts"
export { readFacts, readSegment, readSegmentPart, type Segment, writeSegments } from "./jobs/shards/segments.ts"
export {
  NO_FINDINGS,
  type JobShards,
  type ShardCounts,
  type ShardFindings,
  type ShardLimits,
  type ShardNews,
  type ShardOrders,
  type ShardRange,
  type ShardsState,
  type ShardStop,
  type ShardWorker,
  type OpenedShards,
  type ShardAgain,
  type TakenShard,
} from "./jobs/shards/sharded-jobs.ts"
export type { JournalBatch, TableJournal } from "./jobs/table-journal.ts"
export { openRegistry } from "./open-registry.ts"
export { openEndpointPaces } from "./paces/open-endpoint-paces.ts"
export type { CallerRegistry, Registry } from "./registry.ts"
export type { SecretRights } from "./secrets/secret-rights.ts"
export type { PageQuery, VisibleWorkspaces } from "./records/queries.ts"
export type { Commit, Revision, RevisionFileInfo, Revisions } from "./revisions/revisions.ts"
export type { RevisionFile } from "./revisions/revision-file.ts"
export type { EncryptionKey } from "./secrets/envelope.ts"
export { checkSecretRights } from "./secrets/secret-rights.ts"
export { KEY_SECRET_PREFIX } from "./secrets/sweep-key-secrets.ts"
export { openSecretsRepair, type SecretsRepair, type UnreadableSecret } from "./secrets/unreadable-secrets.ts"
export { checkDefaultStorage } from "./storages/storage-configuration.ts"
export type { Uploads } from "./uploads/open-uploads.ts"
export type { ObjectPart, PendingObject, PendingUpload } from "./uploads/objects/find-pending-object.ts"
export type { FinishUpload, UploadState, UploadTarget } from "./uploads/resumable/upload-state.ts"
export { parseLocalRoot } from "./filesets/parse-local-root.ts"
export {
  ENCRYPTION_KEYS_FILE,
  openEncryptionKeys,
  readEncryptionKeys,
  type EncryptionKeys,
} from "./secrets/encryption-keys.ts"
export { ensureWorkspace } from "./workspaces/ensure-workspace.ts"
export { CHECKSUM_ALGORITHMS, parseUploadChecksum, parseUploadMetadata } from "./uploads/resumable/tus-headers.ts"
export { checkNamespace } from "./workspaces/check-namespace.ts"
export type { WebhookEvent, WebhookEvents } from "./jobs/webhook-events.ts"
export type { Spent, WorkspaceBudgets } from "./workspaces/month-budgets.ts"
export { checkDatabaseNotLost } from "./storages/storage-id.ts"
export {
  type BackedUpFile,
  type BackupFileset,
  type BackupRecords,
  type CopiedRecords,
  copyDatabase,
  openBackupRecords,
  openCopiedRecords,
  restampRecords,
} from "./integrity/backup-records.ts"
export type { FolderRange } from "./revisions/file-order.ts"
export { findFolder, runsOf } from "./revisions/ordered-files.ts"
export { nodesIn, type TreeNode, type TreePosition } from "./revisions/tree-nodes.ts"
export type { EndedSessions } from "./ended-sessions.ts"
export { STORAGE_ID_PATH } from "./storages/storage-id.ts"
export { decodeBase64 } from "./uploads/resumable/decode-base64.ts"
export type { PendingObjects } from "./uploads/objects/pending-objects.ts"
export { XORB_OBJECT } from "./uploads/xet/forget-chunks.ts"
export type { XetFile } from "./uploads/xet/xet-file.ts"
export type { XetRecords } from "./uploads/xet/xet-records.ts"
export type { RegistryOptions } from "./registry-options.ts"
export type { Files, WritableFileset } from "./files/files.ts"
export type { Filesets } from "./filesets/filesets.ts"
