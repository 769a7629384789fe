/** The query parameters that make up a filter, as decoded pairs in the order in which they came. */
export function filterParameters(query: Readonly<Record<string, unknown>>): (readonly [string, string])[] {
  return Object.entries(query)
    .filter(([key]) => key === "filter" || key.startsWith("filter["))
    .flatMap(([key, value]) => (Array.isArray(value) ? value : [value]).map((item) => [key, String(item)] as const))
}
