import type { WarmUpStatus } from "@assay/schemas"

/** Milliseconds since 1970, UTC. */
type Moment = number

/** A file in the read cache. The key identifies its content. */
export interface CacheEntryTable {
  key: string
  size: number
  etag: string | null
  sha256: string | null
  changed_at: Moment | null
  /** SHA-256 of the bytes that were fetched. */
  digest: string
  /** With a precision of one minute. */
  used_at: Moment
}

/** One row with the size of all entries together. It changes in the same transaction as the entries. */
export interface CacheTotalTable {
  bytes: number
}

/** The last warm-up of a fileset. */
export interface CacheWarmupTable {
  fileset_id: string
  status: Exclude<WarmUpStatus, "idle">
  files: number | null
  cached_files: number
  bytes: number | null
  cached_bytes: number
  error: string | null
  asked_at: Moment
  /** Until then one server has the warm-up. 0: no server has it. */
  leased_until: Moment
}
