import { causeChain } from "@assay/http"
import { isAssayError, type ConditionCode } from "@assay/schemas"
import { storageFinding } from "./storage-finding.ts"

/** The condition that an error of a storage is, or a cause of it; undefined where no storage failed. */
export function classifyStorageError(error: unknown): ConditionCode | undefined {
  for (const one of causeChain(error)) {
    const found = isAssayError(one) ? storageFinding(one) : undefined
    if (found !== undefined) return found.code
  }
  return undefined
}
