import { formatCost } from "@assay/reports"
import type { Costs } from "./month-spending.ts"

/** Returns costs by currency as text. Nothing with a price is not a cost of 0. */
export function costText(costs: Costs): string {
  const parts = Object.entries(costs).map(([currency, amount]) => formatCost(amount, currency))
  return parts.length === 0 ? "unknown" : parts.join(" + ")
}
