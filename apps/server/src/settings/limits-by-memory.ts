import { totalmem } from "node:os"
import process from "node:process"
import type { HarnessLimits } from "@assay/schemas"
import type { Settings } from "./settings-schema.ts"

const MIN_OUTGOING_BYTES = 268_435_456
const HARNESS_DISK_BYTES = 34_359_738_368
const HARNESS_PROCESSES = 4096

/** Bytes of answers that wait for their clients: a quarter of the memory, unless the operator says otherwise. */
export function maxOutgoingBytes({ ASSAY_MAX_OUTGOING_BYTES }: Pick<Settings, "ASSAY_MAX_OUTGOING_BYTES">): number {
  return ASSAY_MAX_OUTGOING_BYTES ?? Math.max(MIN_OUTGOING_BYTES, Math.floor(memory() / 4))
}

/** What one harness may use: half of the memory, unless the operator says otherwise. */
export function harnessLimitsOf({ ASSAY_HARNESS_LIMITS }: Pick<Settings, "ASSAY_HARNESS_LIMITS">): HarnessLimits {
  const defaults = { memory: Math.floor(memory() / 2), disk: HARNESS_DISK_BYTES, processes: HARNESS_PROCESSES }
  return { ...defaults, ...ASSAY_HARNESS_LIMITS }
}

/** Of the machine, or of the container if its limit is smaller. */
function memory(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}
