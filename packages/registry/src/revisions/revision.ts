import { createHash } from "node:crypto"
import { AssayError } from "@assay/schemas"
import type { StoredFile } from "@assay/storage"
import type { Commit, Revision, RevisionFile } from "./revisions.ts"

const COMMIT_DIGITS = 40

/**
 * Returns a stored file as a revision holds it. The version is the ETag, which is the same in listings and reads. A digest
 * would not do: it can become known later. Without an ETag, the version is the modification time.
 */
export function revisionFileOf({ path, size, etag, sha256, updatedAt }: StoredFile): RevisionFile {
  return { path, size, version: etag ?? String(updatedAt ?? ""), sha256 }
}

/** Returns 40 hex digits over paths, sizes and versions. */
export function commitOf(files: readonly RevisionFile[]): string {
  const hash = createHash("sha256")
  // Paths and ETags contain no control characters, so different lists give different texts.
  for (const { path, size, version } of files) hash.update(`${path}\0${size}\0${version}\n`)
  return hash.digest("hex").slice(0, COMMIT_DIGITS)
}

export function revisionOf(commit: Commit, files: readonly RevisionFile[]): Revision {
  let byPath: Map<string, RevisionFile> | undefined
  return {
    ...commit,
    files,
    get(path) {
      byPath ??= new Map(files.map((file) => [file.path, file]))
      return byPath.get(path)
    },
  }
}

interface FilesetName {
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
  const message = `Revision '${revision}' not found in fileset '${workspace}/${name}': use the present revision, or one of its last 100 commits.`
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
