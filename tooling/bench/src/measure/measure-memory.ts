import { readFileSync } from "node:fs"

/** Returns the resident bytes of this process from a field of `/proc/self/status`. */
function resident(field: "VmRSS" | "VmHWM"): number {
  const status = readFileSync("/proc/self/status", "utf8")
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1024
}

/** Starts to measure the highest growth of the resident memory of this process, in bytes. */
export function measureMemory(): { growth(): number } {
  const before = resident("VmRSS")
  return { growth: () => resident("VmHWM") - before }
}

/** Returns the highest resident memory of this process so far, in bytes. */
export function peakMemory(): number {
  return resident("VmHWM")
}
