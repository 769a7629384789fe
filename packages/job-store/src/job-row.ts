import { formatTimestamp, type EvaluationJob } from "@assay/schemas"
import { parseJsonExactly, parseJsonRecord } from "@assay/json"
import type { Selectable } from "kysely"
import type { EvaluationJobTable } from "@assay/database"

export type JobRow = Selectable<EvaluationJobTable>

/** Returns the record in a row. */
export function jobOf(row: JobRow): EvaluationJob {
  return {
    id: row.id,
    namespace: row.namespace,
    description: row.description,
    target: parseJsonRecord(row.target) as EvaluationJob["target"],
    config: parseJsonRecord(row.config) as EvaluationJob["config"],
    status: row.status,
    status_details: JSON.parse(row.status_details),
    conditions: JSON.parse(row.conditions),
    result: row.result,
    output_files_url: row.output_files_url,
    project: row.project,
    custom_fields: parseJsonExactly(row.custom_fields) as EvaluationJob["custom_fields"],
    ownership: JSON.parse(row.ownership),
    ...(row.rescored_from === null ? {} : { rescored_from: row.rescored_from }),
    created_at: formatTimestamp(row.created_at),
    updated_at: formatTimestamp(row.updated_at),
    started_at: row.started_at === null ? null : formatTimestamp(row.started_at),
    finished_at: row.finished_at === null ? null : formatTimestamp(row.finished_at),
    pins: JSON.parse(row.pins),
  }
}
