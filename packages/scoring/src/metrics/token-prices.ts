import { costOfTokens, findPrice, invalidRequest, printable, type TokenPrice, type TokenUsage } from "@assay/schemas"
import type { ScoringEnvironment } from "../scoring-context.ts"
import type { MetricSetup } from "./metric-definition.ts"

/** Where the prices of a metric come from: its parameters, or the price table of the job. */
export interface TokenPrices {
  /** @throws `invalid_request` if neither has a price, with both ways to give one */
  readonly of: (environment: Pick<ScoringEnvironment, "prices">) => TokenPrice
}

const PARAMS = ["prompt_price", "completion_price"] as const

/**
 * Reads `prompt_price` and `completion_price`, each of a million tokens in any currency. Without them, the price of the model that
 * `model` names is taken from the price table.
 * @throws `invalid_request` if only one of them is given, or if one is not a price
 */
export function tokenPrices(setup: MetricSetup): TokenPrices {
  const { params, name } = setup
  const { model } = params
  const isGiven = PARAMS.some((key) => params[key] !== undefined)
  if (isGiven || typeof model !== "string") {
    const price = { prompt_price: priceOf(setup, "prompt_price"), completion_price: priceOf(setup, "completion_price") }
    return { of: () => price }
  }
  return {
    of({ prices }) {
      const found = prices === undefined ? undefined : findPrice(prices, model)
      if (found !== undefined) return found
      const why = prices === undefined ? "there is no price table" : "the price table has no price of this model"
      const remedy =
        "give the prices of a million tokens as prompt_price and completion_price, or a price table (--prices FILE, ASSAY_PRICES_FILE)."
      throw invalidRequest(
        [...name.split("."), "model"],
        `'${printable(model)}' has no known price: ${why}; ${remedy}`,
        "missing",
        model,
      )
    },
  }
}

function priceOf({ params, name }: MetricSetup, key: string): number {
  const value = params[key]
  if (typeof value === "number" && value >= 0) return value
  throw invalidRequest(
    [...name.split("."), key],
    `is ${JSON.stringify(value)}; give the price of a million tokens.`,
    "number",
    value,
  )
}

/** Returns what an answer costs. Undefined: the endpoint does not say how many tokens of each kind it used. */
export function costOfUsage(usage: TokenUsage | null, price: TokenPrice): number | undefined {
  const { prompt_tokens: prompt = null, completion_tokens: completion = null } = usage ?? {}
  return prompt === null || completion === null ? undefined : costOfTokens(price, { prompt, completion })
}
