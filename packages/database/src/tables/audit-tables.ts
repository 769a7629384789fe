import type { Generated } from "kysely"

/** Milliseconds since 1970, UTC. */
type Moment = number

/** A write over HTTP. */
export interface AuditRecordTable {
  seq: Generated<number>
  created_at: Moment
  /** Null without auth. */
  token: string | null
  token_name: string
  method: string
  action: string
  kind: string
  workspace: string | null
  name: string | null
  /** Digits. */
  status: string
  request: string
  /** The claim `sub` of a person of the identity provider. Null for others. */
  subject: string | null
  /** The address of the client. Null in older records, as is `door`. */
  address: string | null
  door: string | null
  /** Number of requests that the record counts; 1 for a single request. */
  count: Generated<number>
  /** The time of the last request that it counts. Null for a single request. */
  last_at: Moment | null
}
