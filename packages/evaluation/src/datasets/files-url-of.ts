import { datasetFormatError } from "./dataset-format-error.ts"
import type { FilesUrl } from "./files-url.ts"
import { parseFilesUrl } from "./parse-files-url.ts"

/**
 * What a dataset of a target or a task names: an object with `files_url`, or the text of one.
 * @throws `dataset_format`
 */
export function filesUrlOf(dataset: unknown, namespace: string): FilesUrl {
  if (typeof dataset === "string") return parseFilesUrl(dataset, namespace, dataset)
  const isObject = typeof dataset === "object" && dataset !== null && !Array.isArray(dataset)
  const url: unknown = isObject && "files_url" in dataset ? dataset.files_url : undefined
  if (typeof url === "string") return parseFilesUrl(url, namespace, dataset)
  const fault = !isObject ? "it is no object" : url === undefined ? "it has none" : "its files_url is no text"
  throw datasetFormatError(dataset, fault, `assay://datasets/${namespace}/<name>/<path>`)
}
