import { parseJsonExactly } from "@assay/json"
import type { Metadata, Purpose, StorageConfiguration, StorageType } from "@assay/schemas"
import type { ColumnType, Generated } from "kysely"
import type {
  EvaluationEventTable,
  EvaluationJobTable,
  EvaluationResultTable,
  EvaluationRowTable,
  SegmentTable,
  ShardedJobTable,
  ShardRowTable,
  ShardTable,
  ShardWorkerTable,
} from "./job-tables.ts"
import type { AuditRecordTable } from "./audit-tables.ts"
import type { CacheEntryTable, CacheTotalTable, CacheWarmupTable } from "./cache-tables.ts"
import type { BudgetTable, EndpointPaceTable, UsageTable } from "./budget-tables.ts"
import type { WebhookEventTable, WebhookSenderTable } from "./webhook-tables.ts"
import type { FileChangeTable, FilesetTagTable, KeptFileTable } from "./history-tables.ts"
import type { TrashEntryTable } from "./trash-tables.ts"
import type { UploadPieceTable, UploadTable } from "./upload-tables.ts"
import type { XetChunkTable, XetFileTable, XetLossTable, XetUseTable, XetXorbTable } from "./xet-tables.ts"

/** Milliseconds since 1970, UTC. */
type Moment = number

/** Written as text. SQLite returns text, PostgreSQL returns the parsed value. */
type Json<T> = ColumnType<T | string, string, string>

interface RecordColumns {
  name: string
  description: string
  created_at: Moment
  updated_at: Moment
}

export interface WorkspaceTable extends RecordColumns {
  id: string
}

export interface ProjectTable extends RecordColumns {
  id: string
  workspace: string
}

/** `value` is sealed with its own data key, and `data_key` with the key-encryption key that `key_name` names. */
export interface SecretTable extends RecordColumns {
  workspace: string
  value: Uint8Array
  data_key: Uint8Array
  key_name: string
  /** The job that it was made for. It is removed with the job. Empty: it was made for no job. */
  owner: string
}

export interface FilesetTable extends RecordColumns {
  /** The row id in the search index of SQLite. */
  seq: Generated<number>
  id: string
  workspace: string
  purpose: Purpose
  storage_type: StorageType
  storage: Json<StorageConfiguration>
  metadata: Json<Metadata>
  custom_fields: Json<Record<string, unknown>>
  project: string
  /** 1 if the bytes are on the server's default storage and are removed with the record. */
  owns_bytes: number
  /** The subfolder of its files, for a fileset whose files are replaced all at once. Otherwise empty. */
  subfolder: Generated<string>
  /** The folder of its files on the default storage, if it is not the name of the fileset. Otherwise empty. */
  folder: Generated<string>
  /** The findings about the signature of its files, as JSON. Null: it needs none. */
  signature: Generated<string | null>
  /** Lower-case forms for `$like`. */
  name_folded: string
  description_folded: string
  project_folded: string
  /** Null if the map contains no upper-case text. */
  metadata_folded: Json<object> | null
  custom_fields_folded: Json<object> | null
}

/**
 * Numbers of filesets, so that a page does not have to count them. Triggers keep them in the transaction of every change.
 * A workspace has one row for each purpose and storage type. The workspace `''` holds the sums over all workspaces. On
 * PostgreSQL a row is split into stripes, so that writers do not wait for each other. Only the sum of the stripes has a
 * meaning.
 */
interface FilesetCountTable {
  workspace: string
  purpose: Purpose
  storage_type: StorageType
  stripe: number
  total: number
  /** Grows with every change: two reads with the same sum saw the same filesets. The row is never deleted. */
  changes: number
}

/**
 * The number of files and bytes of a fileset. Triggers on `file_digests` keep it for filesets on a local default storage, in the
 * transaction of every change; without a row such a fileset is empty. For others it is what a complete listing last found.
 */
interface FilesetUsageTable {
  fileset_id: string
  files: number
  bytes: number
}

/** Digests of versions of local files. A local file system can't store them with the file. */
export interface FileDigestTable {
  fileset_id: string
  path: string
  size: number
  /** Text, because nanoseconds since 1970 are too large for a JavaScript number. */
  mtime_ns: string
  sha256: string
}

/** Removed filesets whose files still have to be deleted, on a default storage that has no trash. */
export interface RemovedFilesetTable {
  id: string
  workspace: string
  name: string
  storage_type: StorageType
  storage: Json<StorageConfiguration>
  /** Until then one server deletes the files and no other does. 0: no server does. */
  leased_until: Moment
}

/** Removed filesets whose records of files still have to be deleted. */
interface RemovedFilesetRecordsTable {
  fileset_id: string
}

/** Revisions: all files of a fileset at one time, with their commit id. */
interface FileTreeTable {
  fileset_id: string
  commit_id: string
  /** Grows with the time at which the revision was last seen. */
  seq: number
  created_at: Moment
  title: string
  /** The id of the files. Null if an older version stored the revision: then it is the id of the commit. */
  tree: string | null
  /** The files, or the list of their pieces. See `packFiles` and `packPieces`. */
  files: Uint8Array
}

/** Some contiguous files of large revisions. Revisions of a fileset share equal pieces. */
interface FilePieceTable {
  fileset_id: string
  /** See `pieceDigest`. */
  digest: string
  /** When a listing last stored it. */
  seen_at: Moment
  /** See `marksOf`. */
  marks: Uint8Array
  /** See `packFiles`. */
  files: Uint8Array
}

/** A piece is kept as long as a revision uses it. */
interface FilePieceUseTable {
  fileset_id: string
  commit_id: string
  digest: string
}

/** The digest of the newest version of a file on storage that provides no digests. */
interface ContentDigestTable {
  fileset_id: string
  path: string
  version: string
  sha256: string
}

/** A checkpoint in a fileset. The fileset may be gone. */
export interface ModelTable extends RecordColumns {
  id: string
  workspace: string
  project: string
  /** `<workspace>/<name>`. Empty: the model has no fileset. */
  fileset: string
  /** JSON as text, because it comes from users' files and can contain text that no JSON column accepts. Null until there was one. */
  spec: string | null
  /** JSON of the last analysis that ended. Null until one has ended. */
  analysis: string | null
  /** JSON of what clients say about the model. Null: nothing. */
  described: string | null
  /** Until then a server analyses the model. 0: no server does. In the past: the server stopped without a result. */
  leased_until: Moment
  custom_fields: Json<Record<string, unknown>>
}

/** The kinds of records that consist of a name and free-form data. */
export type DocumentKind =
  | "guardrail_configurations"
  | "evaluation_targets"
  | "evaluation_configurations"
  | "evaluation_baselines"

/** Records of several kinds that consist of a name and free-form data. */
export interface DocumentTable extends RecordColumns {
  id: string
  kind: DocumentKind
  workspace: string
  project: string
  /** JSON as text: the keys of an object keep their order. */
  data: string
}

/** The ids of default storages, by type: filesets on a default storage of another type stay where they are. */
interface StorageIdTable {
  storage_type: StorageType
  id: string
  /** 1 if the storage holds the id, too. */
  is_marked: number
}

/** Every table after the newest migration. */
export interface Tables {
  storage_ids: StorageIdTable
  ended_sessions: { id: string; until: Moment }
  workspaces: WorkspaceTable
  projects: ProjectTable
  secrets: SecretTable
  filesets: FilesetTable
  fileset_counts: FilesetCountTable
  fileset_usage: FilesetUsageTable
  file_digests: FileDigestTable
  file_trees: FileTreeTable
  file_pieces: FilePieceTable
  file_piece_uses: FilePieceUseTable
  content_digests: ContentDigestTable
  removed_filesets: RemovedFilesetTable
  removed_fileset_records: RemovedFilesetRecordsTable
  trash_entries: TrashEntryTable
  cache_entries: CacheEntryTable
  cache_totals: CacheTotalTable
  cache_warmups: CacheWarmupTable
  models: ModelTable
  documents: DocumentTable
  evaluation_jobs: EvaluationJobTable
  evaluation_events: EvaluationEventTable
  evaluation_results: EvaluationResultTable
  evaluation_rows: EvaluationRowTable
  evaluation_sharded_jobs: ShardedJobTable
  evaluation_shards: ShardTable
  evaluation_shard_workers: ShardWorkerTable
  evaluation_shard_rows: ShardRowTable
  evaluation_segments: SegmentTable
  audit_records: AuditRecordTable
  uploads: UploadTable
  upload_pieces: UploadPieceTable
  file_changes: FileChangeTable
  kept_files: KeptFileTable
  fileset_tags: FilesetTagTable
  xet_xorbs: XetXorbTable
  xet_files: XetFileTable
  xet_uses: XetUseTable
  xet_chunks: XetChunkTable
  xet_losses: XetLossTable
  workspace_budgets: BudgetTable
  workspace_usage: UsageTable
  removed_workspace_usage: UsageTable
  endpoint_paces: EndpointPaceTable
  webhook_events: WebhookEventTable
  webhook_senders: WebhookSenderTable
}

/** Returns the value of a JSON column, which SQLite returns as text and PostgreSQL parsed. */
export function parseJson<T extends object>(value: T | string): T {
  if (typeof value !== "string") return value
  // Most maps are empty, and the parser costs more than the map.
  return value === "{}" ? ({} as T) : (parseJsonExactly(value) as T)
}
