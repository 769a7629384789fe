import { AssayError, isAssayError, type ErrorCode } from "@assay/schemas"
import { classifyStorageError } from "../conditions/classify-storage-error.ts"
import { datasetMissingError } from "./dataset-missing-error.ts"

/** These say themselves what is wrong with a dataset. */
const OWN: ReadonlySet<ErrorCode> = new Set([
  "dataset_format",
  "dataset_missing",
  "datastore_unreachable",
  "not_a_row_file",
  "rows_invalid",
])

/** What the storage of a dataset threw, as the condition that it is: the sentence by which people know it, and then what happened. */
export function datasetFailure(fileRef: string, error: unknown): unknown {
  if (!isAssayError(error) || OWN.has(error.code)) return error
  const code =
    error.code === "secret_not_readable" ? error.code : (classifyStorageError(error) ?? "datastore_unreachable")
  if (code === "dataset_missing") {
    return datasetMissingError(fileRef, fileRef, { what: error.message.replace(/\.$/, ""), cause: error })
  }
  const message = `Error occurred while checking the existence of file ${fileRef} on the datastore: ${error.message}`
  const context = { ...error.context, file_ref: fileRef, reason: error.code }
  return new AssayError(code, message, { context, cause: error })
}
