import { AssayError, nearestNumber, numberText } from "@assay/schemas"
import type { RelevanceJudgements } from "@assay/metrics"

export const RELEVANCE_KEYS = ["relevant", "qrels", "relevant_documents"] as const

/** How relevant documents are to the query of a row: grades by id, or a list of ids, each of grade 1. @throws `rows_invalid` */
export function relevanceOf(item: Readonly<Record<string, unknown>>): RelevanceJudgements {
  const key = RELEVANCE_KEYS.find((name) => item[name] !== undefined && item[name] !== null)
  const value = key === undefined ? undefined : item[key]
  if (Array.isArray(value)) return new Map(value.map((id) => [numberText(id) ?? String(id), 1]))
  if (typeof value === "object" && value !== null) {
    return new Map(Object.entries(value).map(([id, grade]) => [id, Number(nearestNumber(grade))]))
  }
  const rule = "give grades by id, or a task dataset in BEIR's layout with qrels"
  throw new AssayError(
    "rows_invalid",
    `The row says not what is relevant under '${RELEVANCE_KEYS.join("', '")}'; ${rule}.`,
  )
}
