import { formatTimestamp, type Model, type ModelAnalysis } from "@assay/schemas"
import type { Selectable } from "kysely"
import { parseJson, type ModelTable } from "../database/tables.ts"

export type ModelRow = Selectable<ModelTable>

/** Returns the record in a row at the time `now`. */
export function modelOf(row: ModelRow, now: number): Model {
  return {
    id: row.id,
    name: row.name,
    workspace: row.workspace,
    project: row.project,
    description: row.description,
    fileset: row.fileset,
    spec: row.spec === null ? null : JSON.parse(row.spec),
    analysis: analysisOf(row, now),
    custom_fields: parseJson(row.custom_fields),
    created_at: formatTimestamp(row.created_at),
    updated_at: formatTimestamp(row.updated_at),
  }
}

const NOTHING = { error: null, warnings: [], bytes_read: 0, requests: 0, analyzed_at: null }

/** An expired lease means that the server stopped during the analysis, so no server has to search for such analyses. */
function analysisOf({ analysis, leased_until }: ModelRow, now: number): ModelAnalysis {
  if (leased_until > now) return { ...NOTHING, status: "running" }
  if (leased_until === 0 && analysis !== null) return JSON.parse(analysis)
  const message = "The server stopped before the analysis ended: request it again."
  return {
    ...NOTHING,
    status: "failed",
    error: { code: "unavailable", message },
    analyzed_at: formatTimestamp(leased_until),
  }
}
