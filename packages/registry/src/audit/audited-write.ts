import type { AuditRecord } from "@assay/schemas"

/** A write to record. */
export interface AuditedWrite extends Omit<AuditRecord, "created_at" | "count" | "last_at"> {
  /** The fileset of a file that was written or deleted: such writes are counted together. Absent: the write has a record of its own. */
  readonly fileset?: string | undefined
}
