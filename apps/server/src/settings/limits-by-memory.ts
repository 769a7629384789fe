import { totalmem } from "node:os"
import process from "node:process"
import type { HarnessLimits } from "@assay/schemas"
import type { Settings } from "./settings-schema.ts"

const MIN_OUTGOING_BYTES = 268_435_456
const HARNESS_DISK_BYTES = 34_359_738_368
const HARNESS_PROCESSES = 4096

/** Returns the maximum number of bytes of responses that wait for their clients. Default: a quarter of the memory. */
export function maxOutgoingBytes({ ASSAY_MAX_OUTGOING_BYTES }: Pick<Settings, "ASSAY_MAX_OUTGOING_BYTES">): number {
  return ASSAY_MAX_OUTGOING_BYTES ?? Math.max(MIN_OUTGOING_BYTES, Math.floor(memory() / 4))
}

/** Returns the limits of one harness. Default: half of the memory. */
export function harnessLimitsOf({ ASSAY_HARNESS_LIMITS }: Pick<Settings, "ASSAY_HARNESS_LIMITS">): HarnessLimits {
  const defaults = { memory: Math.floor(memory() / 2), disk: HARNESS_DISK_BYTES, processes: HARNESS_PROCESSES }
  return { ...defaults, ...ASSAY_HARNESS_LIMITS }
}

/** Returns the memory of the machine, or of the container if its limit is smaller. */
function memory(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}
