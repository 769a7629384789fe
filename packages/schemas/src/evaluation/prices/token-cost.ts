import type { EvaluationConfigBody } from "../evaluation-config.ts"
import type { PriceTable } from "./price-table.ts"

/** The prices of a million tokens. */
export interface TokenPrice {
  readonly prompt_price: number
  readonly completion_price: number
}

/** Returns the price of a model; undefined if the table has none. A model without a price has an unknown cost, never 0. */
export function findPrice({ models }: PriceTable, model: string): TokenPrice | undefined {
  return models.find((one) => isMatch(one.model, model))
}

/**
 * Returns the prices of a job: those of its configuration, and then those of a table. Without a table, their currency has no name.
 * A job may not use them against the budget of its workspace.
 */
export function pricesOfJob(
  { params }: Pick<EvaluationConfigBody, "params">,
  table: PriceTable | undefined,
): PriceTable | undefined {
  const own = params?.prices ?? []
  return own.length === 0 ? table : { currency: table?.currency ?? "", models: [...own, ...(table?.models ?? [])] }
}

const MILLION = 1_000_000

/** Returns what tokens cost, in the currency of the price. */
export function costOfTokens(
  { prompt_price, completion_price }: TokenPrice,
  { prompt, completion }: { readonly prompt: number; readonly completion: number },
): number {
  return (prompt * prompt_price + completion * completion_price) / MILLION
}

/** Returns whether a name fits a pattern. Takes the leftmost position for each part, so its time is linear in the name. */
function isMatch(pattern: string, name: string): boolean {
  const [first = "", ...rest] = pattern.split("*")
  const last = rest.pop()
  if (last === undefined) return name === pattern
  let position = first.length
  if (!name.startsWith(first)) return false
  for (const part of rest) {
    const found = name.indexOf(part, position)
    if (found < 0) return false
    position = found + part.length
  }
  return name.length - last.length >= position && name.endsWith(last)
}
