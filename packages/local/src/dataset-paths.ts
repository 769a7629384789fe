import { isLocalPath, keepField, mapFields } from "@assay/schemas"

/**
 * Copies a body and replaces every text that names rows (`files_url`, and `dataset` if it is a text) by the result of `map`. The
 * order of the calls is the order of the texts.
 */
export function mapDatasets<T>(body: T, map: (filesUrl: string) => string): T {
  return mapFields(body, (field) => {
    const { name, value, kinds } = field
    // The keys of inline rows are columns of the user, so they name no datasets.
    if (kinds.includes("rows")) return keepField(field)
    const isPath = typeof value === "string" && (kinds.includes("dataset") || name === "dataset")
    return isPath ? { [name]: map(value) } : undefined
  })
}

/** Returns every path of this machine that a job reads rows from, each once. */
export function localDatasets(job: object): readonly string[] {
  const paths = new Set<string>()
  mapDatasets(job, (filesUrl) => {
    if (isLocalPath(filesUrl)) paths.add(filesUrl)
    return filesUrl
  })
  return [...paths]
}
