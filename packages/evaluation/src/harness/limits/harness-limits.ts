import { AssayError, type HarnessLimits } from "@assay/schemas"

const NAMES = ["memory", "cpu", "processes", "disk"] as const

/** Returns the limits of a harness: those of its configuration, lowered to those of the operator. */
export function joinLimits(own: HarnessLimits, max: HarnessLimits = {}): HarnessLimits {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const limits = [own[name], max[name]].filter((limit) => limit !== undefined)
      return limits.length === 0 ? [] : [[name, Math.min(...limits)]]
    }),
  )
}

/** Checks that no limit is above that of the operator. @throws `invalid_request` */
export function checkLimits(own: HarnessLimits, max: HarnessLimits = {}): void {
  for (const name of NAMES) {
    const [asked = 0, given = Infinity] = [own[name], max[name]]
    if (asked <= given) continue
    throw new AssayError(
      "invalid_request",
      `config.harness.limits.${name}: ${formatAmount(name, asked)} is more than a harness may use here (${formatAmount(name, given)}); lower it, or ask the operator to raise ASSAY_HARNESS_LIMITS.`,
    )
  }
}

const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"]

/** Formats an amount of what a limit bounds, with its unit. */
export function formatAmount(limit: keyof HarnessLimits, amount: number): string {
  if (limit === "cpu") return `${Math.round(amount * 10) / 10} s of processor time`
  if (limit === "processes") return `${amount} processes and threads`
  const power = amount < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(amount) / 10))
  const text = `${Math.round((amount / 1024 ** power) * 10) / 10} ${UNITS[power]}`
  return limit === "memory" ? `${text} of memory` : `${text} on disk`
}
