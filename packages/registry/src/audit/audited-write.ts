import type { AuditRecord } from "@assay/schemas"

/** A write to record. */
export type AuditedWrite = Omit<AuditRecord, "created_at" | "count" | "last_at">
