import type { Storage } from "@assay/storage"

/** A fileset whose storage is open for a caller. */
export interface OpenedFileset {
  readonly id: string
  readonly workspace: string
  readonly name: string
  readonly storage: Storage
  /** The revision of a hub that its storage is pinned to. */
  readonly pin: string | undefined
}
