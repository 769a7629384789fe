import type { FilePath } from "@assay/storage"

/** A file in a revision. */
export interface RevisionFile {
  readonly path: FilePath
  readonly size: number
  /** Differs from every other version of the file. */
  readonly version: string
  /** Lower-case hex. Null if the storage does not provide it; `Revisions.digests` computes it. */
  readonly sha256: string | null
}
