import { parseLabelledPrompt } from "@assay/guardrails"
import { isAssayError } from "@assay/schemas"
import type { RowSource, SourceRow } from "../../plan/task-plan.ts"

/** Rows of which each is a labelled prompt, or has a fault that says why not. */
export function labelledRows(source: RowSource): RowSource {
  return {
    ...source,
    async *open(signal) {
      for await (const rows of source.open(signal)) yield rows.map(checked)
    },
  }
}

function checked(row: SourceRow): SourceRow {
  if (row.fault !== undefined) return row
  try {
    parseLabelledPrompt(row.item, row.index + 1)
    return row
  } catch (error) {
    if (!isAssayError(error)) throw error
    return { ...row, fault: error.message }
  }
}
