import { numberText } from "@assay/schemas"

const KEYS = ["query_id", "query-id", "qid", "_id", "id"] as const

/** The id of the query of a row; undefined where it has none. */
export function queryId(item: Readonly<Record<string, unknown>>): string | undefined {
  const ids = KEYS.map((key) => (typeof item[key] === "string" ? item[key] : numberText(item[key])))
  return ids.find((id) => id !== undefined)
}
