/**
 * `value` with every place that names rows (`files_url`, and `dataset` where it is a text) as `map` answers; everything else
 * stays as it is. Such places are found wherever they stand, in the order in which they stand.
 */
export function mapDatasets<T>(value: T, map: (filesUrl: string) => string): T {
  if (Array.isArray(value)) return value.map((one: unknown) => mapDatasets(one, map)) as T
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).map(([key, below]: [string, unknown]) => {
    // The keys of the user's own rows are columns, so they name no datasets.
    if (key === "rows") return [key, below] as const
    const isPlace = typeof below === "string" && (key === "files_url" || key === "dataset")
    return [key, isPlace ? map(below) : mapDatasets(below, map)] as const
  })
  return Object.fromEntries(entries) as T
}
