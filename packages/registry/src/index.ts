export type { AuditedWrite } from "./audit/audited-write.ts"
export type { Audit, AuditQuery } from "./audit/create-audit.ts"
export type { Change } from "./changes/change.ts"
export type { Changes } from "./changes/create-changes.ts"
export type { CreateDocument, Document, Documents } from "./documents/documents.ts"
export type { DocumentQuery } from "./documents/search-documents.ts"
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
export type { Registry, RegistryIntegrity } from "./registry.ts"
export type { EncryptionKey } from "./secrets/envelope.ts"
export { KEY_SECRET_PREFIX } from "./jobs/key-secret-prefix.ts"
export { openSecretsRepair, type SecretsRepair, type UnreadableSecret } from "./secrets/unreadable-secrets.ts"
export {
  ENCRYPTION_KEYS_FILE,
  openEncryptionKeys,
  readEncryptionKeys,
  type EncryptionKeys,
} from "./secrets/encryption-keys.ts"
export { ensureWorkspace } from "./workspaces/ensure-workspace.ts"
export { checkNamespace } from "./workspaces/check-namespace.ts"
export type { WebhookEvent, WebhookEvents } from "./jobs/webhook-events.ts"
export type { Spent, WorkspaceBudgets } from "./workspaces/month-budgets.ts"
export type { EndedSessions } from "./ended-sessions.ts"
export type { RegistryOptions } from "./registry-options.ts"
