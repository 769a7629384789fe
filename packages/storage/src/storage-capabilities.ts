import type { StorageType } from "@assay/schemas"
import type { StorageCapabilities } from "./storage.ts"

/** What each adapter that is built can do. A type that is missing here has no adapter yet. */
export const STORAGE_CAPABILITIES = {
  local: { write: true, delete: true, rangedRead: true, conditionalWrite: true, checksums: true, revisions: false },
} as const satisfies Partial<Record<StorageType, StorageCapabilities>>

export type BuiltStorageType = keyof typeof STORAGE_CAPABILITIES

export function isBuiltStorageType(type: StorageType): type is BuiltStorageType {
  return Object.hasOwn(STORAGE_CAPABILITIES, type)
}
