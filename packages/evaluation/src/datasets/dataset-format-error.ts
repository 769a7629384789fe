import { AssayError } from "@assay/schemas"
import { maskKeys } from "../launch/mask-keys.ts"

const SHOWN = 500

/** The error for a dataset that names no files, with the `files_url` that may be meant. */
export function datasetFormatError(dataset: unknown, fault: string, meant: string): AssayError {
  const json = JSON.stringify(maskKeys(dataset)) ?? "undefined"
  const shown = json.length > SHOWN ? `${json.slice(0, SHOWN)}…` : json
  const message =
    `Dataset ${shown} is not in the expected format; it needs to have the files_url property set: ` +
    `${fault}; write 'files_url: ${meant}'.`
  const remedy = `Write "files_url": "${meant}"; its form is <scheme>://datasets/<namespace>/<name>/<path> with the scheme hf or assay.`
  return new AssayError("dataset_format", message, { context: { remedy } })
}
