import { isLocalPlace } from "../datasets/files-url.ts"

/**
 * Copies `value` and replaces every text that names rows (`files_url`, and `dataset` if it is a text) by the result of `map`. The
 * order of the calls is the order of the texts.
 */
export function mapDatasets<T>(value: T, map: (filesUrl: string) => string): T {
  if (Array.isArray(value)) return value.map((one: unknown) => mapDatasets(one, map)) as T
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).map(([key, below]: [string, unknown]) => {
    // The keys of inline rows are columns of the user, so they name no datasets.
    if (key === "rows") return [key, below] as const
    const isPlace = typeof below === "string" && (key === "files_url" || key === "dataset")
    return [key, isPlace ? map(below) : mapDatasets(below, map)] as const
  })
  return Object.fromEntries(entries) as T
}

/** Returns every place of this machine that a job reads rows from, each once. */
export function localDatasets(job: object): readonly string[] {
  const places = new Set<string>()
  mapDatasets(job, (filesUrl) => {
    if (isLocalPlace(filesUrl)) places.add(filesUrl)
    return filesUrl
  })
  return [...places]
}
