import type { Metadata, Purpose, StorageConfiguration, StorageType, WarmUpStatus } from "@assay/schemas"
import type { ColumnType, Generated } from "kysely"
import type { DocumentKind } from "../documents/documents.ts"
import type {
  EvaluationEventTable,
  EvaluationJobTable,
  EvaluationResultTable,
  EvaluationRowTable,
} from "./job-tables.ts"

/** Milliseconds since 1970, UTC. */
type Moment = number

/** Written as text; comes back as text from SQLite, and parsed from PostgreSQL. */
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

/** `value` is sealed with a data key of its own, and `data_key` with the key-encryption key that `key_name` names. */
export interface SecretTable extends RecordColumns {
  workspace: string
  value: Uint8Array
  data_key: Uint8Array
  key_name: string
  /** The job that it was made for, and goes with; empty where there is none. */
  owner: string
}

export interface FilesetTable extends RecordColumns {
  /** What the search index of SQLite knows a row by. */
  seq: Generated<number>
  id: string
  workspace: string
  purpose: Purpose
  storage_type: StorageType
  storage: Json<StorageConfiguration>
  metadata: Json<Metadata>
  custom_fields: Json<Record<string, unknown>>
  project: string
  /** 1 where the bytes lie on the server's default storage and go with the record. */
  owns_bytes: number
  /** The folder below its own in which its files are, for one whose files change all at once; else empty. */
  subfolder: Generated<string>
  /** The folder of its workspace on the default storage in which its files are, where that is not its name; else empty. */
  folder: Generated<string>
  /** The lower-case forms in which `$like` searches. */
  name_folded: string
  description_folded: string
  project_folded: string
  /** Null where no text in the map has another lower-case form. */
  metadata_folded: Json<object> | null
  custom_fields_folded: Json<object> | null
}

/**
 * How many filesets there are, so that no page has to count them; kept by triggers in the transaction of every change.
 * A workspace has one row for each purpose and storage type, and `''` stands for all workspaces. On PostgreSQL a row is
 * split in stripes, so that writers don't queue for it; only their sum has a meaning.
 */
export interface FilesetCountTable {
  workspace: string
  purpose: Purpose
  storage_type: StorageType
  stripe: number
  total: number
  /** Grows with every change: two reads with the same sum saw the same filesets. Never deleted. */
  changes: number
}

/** The digest of each version of a file, which a local file system can't keep beside the file. */
export interface FileDigestTable {
  fileset_id: string
  path: string
  size: number
  /** As text: nanoseconds are beyond what a JavaScript number holds. */
  mtime_ns: string
  sha256: string
}

/** Filesets that were removed from a default storage which can't put their bytes aside, until those are deleted. */
export interface RemovedFilesetTable {
  id: string
  workspace: string
  name: string
  storage_type: StorageType
  storage: Json<StorageConfiguration>
  /** Until then nobody else deletes; 0 where nobody does. */
  leased_until: Moment
}

/** All files of a fileset at one time, under the commit id that stands for them. */
export interface FileTreeTable {
  fileset_id: string
  commit_id: string
  /** The larger, the later it was seen. */
  seq: number
  created_at: Moment
  title: string
  /** See `formatTree`. */
  files: Uint8Array
}

/** The digest of the newest version of a file whose storage can't tell it. */
export interface ContentDigestTable {
  fileset_id: string
  path: string
  version: string
  sha256: string
}

/** A file in the read cache, by what pins its content. */
export interface CacheEntryTable {
  key: string
  size: number
  etag: string | null
  sha256: string | null
  changed_at: Moment | null
  /** SHA-256 of the bytes as they came. */
  digest: string
  /** To the minute. */
  used_at: Moment
}

/** One row: the size of all entries together, changed with them in one transaction. */
export interface CacheTotalTable {
  bytes: number
}

/** The last time that a fileset was to be brought into the read cache. */
export interface CacheWarmupTable {
  fileset_id: string
  status: Exclude<WarmUpStatus, "idle">
  files: number | null
  cached_files: number
  bytes: number | null
  cached_bytes: number
  error: string | null
  asked_at: Moment
  /** Until then one server alone is at it; 0 where none is. */
  leased_until: Moment
}

/** A checkpoint in a fileset, which need not be there any more. */
export interface ModelTable extends RecordColumns {
  id: string
  workspace: string
  project: string
  /** `<workspace>/<name>` */
  fileset: string
  /** JSON as text: it comes out of files of users, and may hold what no JSON column takes. Null until there was one. */
  spec: string | null
  /** JSON of the analysis that ended last. Null until one has. */
  analysis: string | null
  /** Until then somebody analyses; 0 where nobody does. In the past: who did has gone without a word. */
  leased_until: Moment
  custom_fields: Json<Record<string, unknown>>
}

/** Records of several kinds that are a name and free-form data. */
export interface DocumentTable extends RecordColumns {
  id: string
  kind: DocumentKind
  workspace: string
  project: string
  /** JSON as text: the keys of an object keep their order. */
  data: string
}

/** Every table, as the newest migration leaves it. */
export interface Tables {
  workspaces: WorkspaceTable
  projects: ProjectTable
  secrets: SecretTable
  filesets: FilesetTable
  fileset_counts: FilesetCountTable
  file_digests: FileDigestTable
  file_trees: FileTreeTable
  content_digests: ContentDigestTable
  removed_filesets: RemovedFilesetTable
  cache_entries: CacheEntryTable
  cache_totals: CacheTotalTable
  cache_warmups: CacheWarmupTable
  models: ModelTable
  documents: DocumentTable
  evaluation_jobs: EvaluationJobTable
  evaluation_events: EvaluationEventTable
  evaluation_results: EvaluationResultTable
  evaluation_rows: EvaluationRowTable
}

/** A JSON column arrives as text from SQLite, and parsed from PostgreSQL. */
export function parseJson<T extends object>(value: T | string): T {
  return typeof value === "string" ? JSON.parse(value) : value
}
