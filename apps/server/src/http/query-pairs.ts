/** Returns the query parameters as decoded pairs. A repeated parameter becomes several pairs. */
export function queryPairs(query: Readonly<Record<string, unknown>>): (readonly [string, string])[] {
  return Object.entries(query).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map((item) => [key, String(item)] as const),
  )
}
