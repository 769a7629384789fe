const KEYS = ["query_id", "query-id", "qid", "_id", "id"] as const

/** The id of the query of a row; undefined where it has none. */
export function queryId(item: Readonly<Record<string, unknown>>): string | undefined {
  const found = KEYS.map((key) => item[key]).find((id) => typeof id === "string" || typeof id === "number")
  return found === undefined ? undefined : String(found)
}
