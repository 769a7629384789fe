import { AssayError, isAssayError, isLocalPath, maskKeys, nearestNames, type ErrorCode } from "@assay/schemas"
import { conditionFunctions } from "@assay/results"

const MAX_SHOWN = 500

/** Returns the error for a dataset that names no files, with the `files_url` that is probably meant. */
export function datasetFormatError(dataset: unknown, fault: string, meant: string): AssayError {
  const json = JSON.stringify(maskKeys(dataset)) ?? "undefined"
  const shown = json.length > MAX_SHOWN ? `${json.slice(0, MAX_SHOWN)}…` : json
  const message =
    `Dataset ${shown} is not in the expected format; it needs to have the files_url property set: ` +
    `${fault}; write 'files_url: ${meant}'.`
  const remedy = `Write "files_url": "${meant}"; its form is <scheme>://datasets/<namespace>/<name>/<path> with the scheme hf or assay.`
  return new AssayError("dataset_format", message, { context: { remedy } })
}

export interface DatasetMissing {
  /** The missing thing, as the end of a sentence. */
  readonly what: string
  /** The names that exist. */
  readonly names?: readonly string[]
  readonly cause?: unknown
}

const MAX_NAMES = 5

/** The title of the condition for rows of this machine. That of the catalogue is about a datastore. */
const LOCAL_TITLE = "There are no such rows on this machine"

/** Returns the error for a file or fileset that does not exist, with similar names. Rows of this machine are not on a datastore. */
export function datasetMissingError(
  fileRef: string,
  wanted: string,
  { what, names = [], cause }: DatasetMissing,
): AssayError {
  const near = nearestNames(wanted, names)
  const isLocal = isLocalPath(fileRef)
  const beginning = isLocal
    ? `Rows '${fileRef}' can't be read`
    : `Error occurred while checking the existence of file ${fileRef} on the datastore: Dataset ${fileRef} is not present on datastore`
  const message = `${beginning}: ${what}${thereIs(near, names)}.`
  const remedy =
    near.length === 0
      ? isLocal
        ? { remedy: "Correct the path, which is relative to the folder of the evaluation file." }
        : {}
      : { remedy: `Name ${near.map((name) => `'${name}'`).join(" or ")} instead, if that is meant.` }
  const context = { file_ref: fileRef, near_names: near, ...remedy, ...(isLocal ? { title: LOCAL_TITLE } : {}) }
  return new AssayError("dataset_missing", message, { context, ...(cause === undefined ? {} : { cause }) })
}

function thereIs(near: readonly string[], names: readonly string[]): string {
  if (names.length === 0) return ""
  const shown = (near.length > 0 ? near : names.slice(0, MAX_NAMES)).map((name) => `'${name}'`).join(", ")
  if (near.length > 0) return `; near it: ${shown}`
  return `; there: ${shown}${names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ""}`
}

/** Errors that already describe a fault of a dataset. */
const OWN: ReadonlySet<ErrorCode> = new Set([
  "dataset_format",
  "dataset_missing",
  "datastore_unreachable",
  "not_a_row_file",
  "rows_invalid",
])

/**
 * Returns an error of a dataset's storage as the condition that it is. Its message begins with the sentence by which people know
 * the condition; the message of the storage follows. Any other error is returned as it is.
 */
export function datasetFailure(fileRef: string, error: unknown): unknown {
  if (!isAssayError(error) || OWN.has(error.code)) return error
  const code =
    error.code === "secret_not_readable"
      ? error.code
      : (conditionFunctions.ofStorageError(error) ?? "datastore_unreachable")
  if (code === "dataset_missing") {
    return datasetMissingError(fileRef, fileRef, { what: error.message.replace(/\.$/, ""), cause: error })
  }
  if (isLocalPath(fileRef)) {
    return new AssayError("local_file_failed", `Rows '${fileRef}' can't be read: ${error.message}`, { cause: error })
  }
  const message = `Error occurred while checking the existence of file ${fileRef} on the datastore: ${error.message}`
  const context = { ...error.context, file_ref: fileRef, reason: error.code }
  return new AssayError(code, message, { context, cause: error })
}
