import { AssayError } from "@assay/schemas"

export interface FilesetName {
  readonly workspace: string
  readonly name: string
}

/** Routes of other protocols read from the context what is missing: here a `path` at a `commit`. */
export function fileNotFoundAt({ workspace, name }: FilesetName, path: string, commit: string): AssayError {
  const message = `File '${path}' not found in fileset '${workspace}/${name}' at commit ${commit}`
  return new AssayError("not_found", message, { context: { workspace, fileset: name, path, commit } })
}

/** Here the context names a `revision`. */
export function revisionNotFound({ workspace, name }: FilesetName, revision: string): AssayError {
  const message = `Revision '${revision}' not found in fileset '${workspace}/${name}': ask for what is there now, or for one of its last 100 commits.`
  return new AssayError("not_found", message, { context: { workspace, fileset: name, revision } })
}

/** The digest takes longer than clients wait. They try again. */
export function stillReading({ workspace, name }: FilesetName, path: string): AssayError {
  const message = `The SHA-256 of '${path}' in fileset '${workspace}/${name}' is being computed for the first time; try again in a moment.`
  return new AssayError("unavailable", message, { context: { workspace, fileset: name, path, retryAfter: 5 } })
}

export function changingFile({ workspace, name }: FilesetName, path: string): AssayError {
  const message = `'${path}' in fileset '${workspace}/${name}' is replaced faster than it can be read; try again.`
  return new AssayError("storage_changed", message, { context: { workspace, fileset: name } })
}
