import type { StorageType } from "@assay/schemas"
import type { StorageCapabilities } from "./storage.ts"

/** The capabilities of each adapter, as far as its type decides them. */
export const STORAGE_CAPABILITIES = {
  local: { write: true, delete: true, rangedRead: true, conditionalWrite: true, checksums: true, revisions: false },
  catalog: {
    write: false,
    delete: false,
    rangedRead: true,
    conditionalWrite: false,
    checksums: false,
    revisions: true,
  },
  hub: { write: false, delete: false, rangedRead: true, conditionalWrite: false, checksums: false, revisions: true },
  objstore: { write: true, delete: true, rangedRead: true, conditionalWrite: true, checksums: false, revisions: false },
} as const satisfies Record<StorageType, StorageCapabilities>
