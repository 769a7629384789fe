import type { HarnessLimits } from "@assay/schemas"

const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"]

/** An amount of what a limit bounds, with its unit. */
export function formatAmount(limit: keyof HarnessLimits, amount: number): string {
  if (limit === "cpu") return `${Math.round(amount * 10) / 10} s of processor time`
  if (limit === "processes") return `${amount} processes and threads`
  const power = amount < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(amount) / 10))
  const text = `${Math.round((amount / 1024 ** power) * 10) / 10} ${UNITS[power]}`
  return limit === "memory" ? `${text} of memory` : `${text} on disk`
}
