import { wilsonInterval } from "@assay/metrics"
import type { JudgeRates, Rate } from "./calibration-report.ts"
import type { OutcomeCounts } from "./count-outcomes.ts"

export function rateOf(count: number, n: number): Rate {
  if (n === 0) return { count, n, rate: null, low: 0, high: 1 }
  const { low, high } = wilsonInterval(count, n)
  return { count, n, rate: count / n, low, high }
}

export function ratesOf({ safe, unsafe }: OutcomeCounts): JudgeRates {
  return {
    safe: safe.rows,
    unsafe: unsafe.rows,
    false_block: rateOf(safe.blocked, safe.blocked + safe.passed),
    miss: rateOf(unsafe.passed, unsafe.blocked + unsafe.passed),
    under_policy: {
      false_block: rateOf(safe.rows - safe.letThrough, safe.rows),
      miss: rateOf(unsafe.letThrough, unsafe.rows),
    },
  }
}
