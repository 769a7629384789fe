import { filesUrlOf } from "./files-url-of.ts"
import { isLocalPlace } from "./is-local-place.ts"

/**
 * The text with which a dataset names its files, as a environment opens it. A place of the machine that runs the job is left to the
 * environment: one that has none refuses it.
 * @throws `dataset_format`
 */
export function filesUrlText(dataset: unknown, namespace: string): string {
  const isObject = typeof dataset === "object" && dataset !== null
  const text: unknown = isObject && "files_url" in dataset ? dataset.files_url : dataset
  return typeof text === "string" && isLocalPlace(text) ? text : filesUrlOf(dataset, namespace).text
}
