import { RANKING_KEYS } from "../../metrics/retriever/retriever-row.ts"
import type { RowSource, SourceRow } from "../task-plan.ts"
import { type JudgedQuery, queryId } from "./beir-judgements.ts"

/**
 * Adds the relevant documents to rankings. Like trec_eval, it leaves out rankings of queries without judgements. A judged query
 * without a ranking is added at the end, as a query that found nothing.
 */
export function judgedRankings(rankings: RowSource, judged: ReadonlyMap<string, JudgedQuery>): RowSource {
  return {
    async *open(signal) {
      const missing = new Set(judged.keys())
      let index = 0
      for await (const rows of rankings.open(signal)) {
        yield rows.flatMap((row) => {
          const found = judgedRow(row, judged, missing)
          return found === undefined ? [] : [{ ...found, index: index++ }]
        })
      }
      const empty = [...missing].map((id) => ({ index: index++, item: itemOf(id, judged.get(id), []) }))
      if (empty.length > 0) yield empty
    },
    count: () => Promise.resolve(judged.size),
  }
}

function judgedRow(
  row: SourceRow,
  judged: ReadonlyMap<string, JudgedQuery>,
  missing: Set<string>,
): Omit<SourceRow, "index"> | undefined {
  if (row.fault !== undefined) return row
  const id = queryId(row.item)
  if (id === undefined) return { item: row.item, fault: "The row has no 'query_id'; give the id of its query." }
  const known = judged.get(id)
  if (known === undefined) return undefined
  if (!missing.delete(id))
    return { item: row.item, fault: `The query '${id}' has a second ranking; give one for each.` }
  const key = RANKING_KEYS.find((name) => row.item[name] !== undefined)
  return { item: key === undefined ? row.item : itemOf(id, known, row.item[key]) }
}

function itemOf(id: string, known: JudgedQuery | undefined, ranking: unknown): SourceRow["item"] {
  return { query_id: id, query: known?.query ?? null, ranking, relevant: known?.relevant ?? {} }
}
