import { AssayError, type HarnessLimits } from "@assay/schemas"
import { formatAmount } from "./format-amount.ts"

const NAMES = ["memory", "cpu", "processes", "disk"] as const

/** What a harness may use: what its configuration says, at most what the operator says. */
export function joinLimits(own: HarnessLimits, most: HarnessLimits = {}): HarnessLimits {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const limits = [own[name], most[name]].filter((limit) => limit !== undefined)
      return limits.length === 0 ? [] : [[name, Math.min(...limits)]]
    }),
  )
}

/** @throws `invalid_request` for a limit above that of the operator */
export function checkLimits(own: HarnessLimits, most: HarnessLimits = {}): void {
  for (const name of NAMES) {
    const [asked = 0, given = Infinity] = [own[name], most[name]]
    if (asked <= given) continue
    throw new AssayError(
      "invalid_request",
      `config.harness.limits.${name}: ${formatAmount(name, asked)} is more than a harness may use here (${formatAmount(name, given)}); write less, or have the operator raise ASSAY_HARNESS_LIMITS.`,
    )
  }
}
