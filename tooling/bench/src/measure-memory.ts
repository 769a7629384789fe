import { readFileSync } from "node:fs"

/** Resident bytes of this process by a field of `/proc/self/status`. */
function resident(field: "VmRSS" | "VmHWM"): number {
  const status = readFileSync("/proc/self/status", "utf8")
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1024
}

/** Measures from now on by how much the resident memory of this process grows at its highest, in bytes. */
export function measureMemory(): { growth(): number } {
  const before = resident("VmRSS")
  return { growth: () => resident("VmHWM") - before }
}

/** The highest resident memory of this process so far, in bytes. */
export function peakMemory(): number {
  return resident("VmHWM")
}
