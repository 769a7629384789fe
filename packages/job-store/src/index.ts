export type { JobEvent, NewJobEvent } from "./job-events.ts"
export type { JobGrants } from "./job-grants.ts"
export { FIRST_LEASE_MS, JOB_LEASE_MS } from "./job-lease.ts"
export type { JobEnd, JobNews, JobRun } from "./job-run.ts"
export type { CreateJob, JobFilter, JobQuery, Jobs } from "./jobs.ts"
export { KEY_SECRET_PREFIX } from "./key-secret-prefix.ts"
export { type JobStore, openJobStore } from "./open-job-store.ts"
export type { ResultsFilesets } from "./results-filesets.ts"
export { groupSegments } from "./shards/group-segments.ts"
export { readFacts, readSegment, readSegmentPart, type Segment, writeSegments } from "./shards/segments.ts"
export {
  type JobShards,
  NO_FINDINGS,
  type OpenedShards,
  type ShardAgain,
  type ShardCounts,
  type ShardFindings,
  type ShardLimits,
  type ShardNews,
  type ShardOrders,
  type ShardRange,
  type ShardsState,
  type ShardStop,
  type ShardWorker,
  type TakenShard,
} from "./shards/sharded-jobs.ts"
export type { StoredJournal } from "./journal/stored-journal.ts"
export type { JournalBatch, TableJournal } from "./journal/table-journal.ts"
export type { WebhookEvent, WebhookEvents } from "./webhook-events.ts"
