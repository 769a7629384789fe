import type { Client } from "@assay/client"
import type { DatasetMetadata, Fileset, Purpose } from "@assay/schemas"
import type { CheckRows } from "../fileset/fileset-side.ts"
import type { FileAddress } from "../file-address.ts"
import type { TransferCache } from "../sides/transfer-cache.ts"
import type { SkippedEntry } from "../sides/transfer-side.ts"

/** The source or target of a copy: a file or folder of this machine, or a fileset with an optional path in it. */
export type TransferLocation =
  | {
      readonly kind: "local"
      /** The location as the user wrote it. A slash at its end means a folder. */
      readonly name: string
      /** Absolute path. */
      readonly path: string
    }
  | { readonly kind: "fileset"; readonly address: FileAddress }

/** Fields that a new fileset takes over from the fileset that is copied: all fields except its name and its storage. */
export type CopiedFields = Partial<Pick<Fileset, "purpose" | "description" | "project" | "metadata" | "custom_fields">>

/** The options with which the sides of a copy are opened. */
export interface OpenOptions {
  /** Called only if a side is a fileset. */
  readonly client: () => Client
  /** Remembers digests and unfinished uploads. */
  readonly cache: TransferCache
  /** Waits before retry number `attempt`, counted from 0. */
  readonly pause: (attempt: number) => Promise<void>
  /** Receives the entries of the source that cannot be moved. */
  readonly onSkip: (skipped: SkippedEntry) => void
  /** Nothing is created. A target that does not exist counts as empty. */
  readonly dryRun: boolean
  /** Purpose of a new fileset. Default: the purpose of the fileset that is copied, or `generic`. */
  readonly purpose?: Purpose | undefined
  /** Called after a fileset was created. */
  readonly onCreated: (fileset: {
    readonly workspace: string
    readonly name: string
    readonly purpose: Purpose
  }) => void
  /** Returns the check that a dry run applies to the rows of files for a fileset that rejects invalid rows. */
  readonly checkRowsOf: (dataset: DatasetMetadata) => CheckRows
  readonly signal: AbortSignal
}
