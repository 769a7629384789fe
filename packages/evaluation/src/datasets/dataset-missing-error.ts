import { AssayError, nearestNames } from "@assay/schemas"

export interface DatasetMissing {
  /** What is not there, as the end of a sentence. */
  readonly what: string
  /** What there is instead. */
  readonly names?: readonly string[]
  readonly cause?: unknown
}

const SHOWN = 5

/** The error for a file or fileset that is not there, with the names that are near. */
export function datasetMissingError(
  fileRef: string,
  wanted: string,
  { what, names = [], cause }: DatasetMissing,
): AssayError {
  const near = nearestNames(wanted, names)
  const message =
    `Error occurred while checking the existence of file ${fileRef} on the datastore: ` +
    `Dataset ${fileRef} is not present on datastore: ${what}${thereIs(near, names)}.`
  const remedy =
    near.length === 0
      ? {}
      : { remedy: `Name ${near.map((name) => `'${name}'`).join(" or ")} instead, if that is meant.` }
  const context = { file_ref: fileRef, near_names: near, ...remedy }
  return new AssayError("dataset_missing", message, { context, ...(cause === undefined ? {} : { cause }) })
}

function thereIs(near: readonly string[], names: readonly string[]): string {
  if (names.length === 0) return ""
  const shown = (near.length > 0 ? near : names.slice(0, SHOWN)).map((name) => `'${name}'`).join(", ")
  if (near.length > 0) return `; near it: ${shown}`
  return `; there: ${shown}${names.length > SHOWN ? ` and ${names.length - SHOWN} more` : ""}`
}
