import { AssayError } from "@assay/schemas"
import { nearestNumber, numberText, fieldsOf } from "@assay/json"
import type { RelevanceJudgements } from "@assay/metrics"

/** The fields under which a row has its ranking, and the documents that are relevant to its query. The first that exists counts. */
export const RETRIEVER_KEYS = {
  ranking: ["ranking", "ranked", "results", "documents", "retrieved"],
  relevance: ["relevant", "qrels", "relevant_documents"],
} as const
const ID_KEYS = ["id", "_id", "doc_id", "document_id", "corpus_id", "corpus-id", "docid"] as const

/**
 * Reads the ids of the documents that a row ranks, best first. The ranking is a list of ids, a list of objects with ids (in the order
 * of their `score` if all have one), or scores by id. Equal scores are ordered by descending id, as in trec_eval.
 * @throws `rows_invalid`
 */
export function rankingOf(item: Readonly<Record<string, unknown>>): readonly string[] {
  const key = RETRIEVER_KEYS.ranking.find((name) => item[name] !== undefined && item[name] !== null)
  const value = key === undefined ? undefined : item[key]
  if (Array.isArray(value)) return ofList(value)
  if (typeof value === "object" && value !== null) return byScore(Object.entries(value))
  const rule = "give ids, best first, or scores by id"
  throw new AssayError(
    "rows_invalid",
    `The row has no ranking under '${RETRIEVER_KEYS.ranking.join("', '")}'; ${rule}.`,
  )
}

function ofList(list: readonly unknown[]): readonly string[] {
  const read = list.map((one): readonly [string, unknown] => {
    const own = idText(one)
    if (own !== undefined) return [own, undefined]
    const fields = fieldsOf(one)
    const id = ID_KEYS.map((name) => idText(fields[name])).find((found) => found !== undefined)
    if (id !== undefined) return [id, nearestNumber(fields["score"])]
    throw new AssayError(
      "rows_invalid",
      `The ranking has ${JSON.stringify(one).slice(0, 80)}, which has no id; give it under '${ID_KEYS.join("', '")}'.`,
    )
  })
  const hasScores = read.length > 0 && read.every(([, score]) => typeof score === "number")
  return hasScores ? byScore(read) : read.map(([id]) => id)
}

function idText(value: unknown): string | undefined {
  return typeof value === "string" ? value : numberText(value)
}

function byScore(entries: readonly (readonly [string, unknown])[]): readonly string[] {
  return entries
    .map(([id, score]) => ({ id, score: Number(nearestNumber(score)) }))
    .toSorted((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id)
}

/** Reads how relevant documents are to the query of a row: grades by id, or a list of ids with grade 1 each. @throws `rows_invalid` */
export function relevanceOf(item: Readonly<Record<string, unknown>>): RelevanceJudgements {
  const key = RETRIEVER_KEYS.relevance.find((name) => item[name] !== undefined && item[name] !== null)
  const value = key === undefined ? undefined : item[key]
  if (Array.isArray(value)) return new Map(value.map((id) => [numberText(id) ?? String(id), 1]))
  if (typeof value === "object" && value !== null) {
    return new Map(Object.entries(value).map(([id, grade]) => [id, Number(nearestNumber(grade))]))
  }
  const rule = "give grades by id, or a task dataset in BEIR's layout with qrels"
  throw new AssayError(
    "rows_invalid",
    `The row does not say which documents are relevant under '${RETRIEVER_KEYS.relevance.join("', '")}'; ${rule}.`,
  )
}
