import { estimatedRequests } from "@assay/reports"
import type { LaunchEstimate } from "@assay/schemas"

/** A run with more requests is announced with what it asks, costs and takes. */
const MANY_REQUESTS = 1000

/** Returns whether a run is announced with its estimate. Rows that were not counted count by the sizes of their files. */
export function isLargeRun(estimate: LaunchEstimate): boolean {
  return (estimatedRequests(estimate) ?? 0) > MANY_REQUESTS
}
