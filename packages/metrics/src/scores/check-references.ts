import { invalidRequest } from "@assay/schemas"

/** @throws `invalid_request` if there are no references */
export function checkReferences(references: readonly unknown[]): void {
  if (references.length === 0)
    throw invalidRequest(["references"], "is empty; give at least one reference.", "too_short")
}
