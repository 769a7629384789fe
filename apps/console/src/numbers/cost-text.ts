import { formatCost } from "@assay/reports"

/** Amounts of money by currency. */
export type Costs = Readonly<Record<string, number>>

/** Returns costs by currency as text. Nothing with a price is not a cost of 0. */
export function costText(costs: Costs): string {
  const parts = Object.entries(costs).map(([currency, amount]) => formatCost(amount, currency))
  return parts.length === 0 ? "unknown" : parts.join(" + ")
}

const MIN_DECIMALS = 2
const MAX_DECIMALS = 8

/** Returns how costs of one column are written: with as many decimals as the largest amount of their currency needs for three digits. */
export function costTexts(column: readonly Costs[]): (costs: Costs) => string {
  const most = new Map<string, number>()
  for (const [currency, amount] of column.flatMap((costs) => Object.entries(costs))) {
    most.set(currency, Math.max(most.get(currency) ?? 0, amount))
  }
  const textOf = (currency: string, amount: number): string => {
    const decimals = decimalsOf(most.get(currency) ?? amount)
    const least = 10 ** -decimals
    const shown = amount > 0 && amount < least / 2 ? `< ${least.toFixed(decimals)}` : amount.toFixed(decimals)
    return `${shown} ${currency}`.trim()
  }
  return (costs) => {
    const parts = Object.entries(costs).map(([currency, amount]) => textOf(currency, amount))
    return parts.length === 0 ? "unknown" : parts.join(" + ")
  }
}

function decimalsOf(most: number): number {
  if (most === 0) return MIN_DECIMALS
  return Math.min(MAX_DECIMALS, Math.max(MIN_DECIMALS, 2 - Math.floor(Math.log10(most))))
}
