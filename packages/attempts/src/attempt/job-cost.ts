import { findPrice, type PriceTable, pricesOfJob } from "@assay/schemas"
import type { RunnableJob } from "@assay/evaluation"
import { type JobProgress, tokenSums } from "@assay/results"

/** Returns a progress with what its tokens cost: null if the model has no price, or if the tokens are not known. Without prices, it stays as it is. */
export type AddCost = (progress: JobProgress) => JobProgress

/** Returns the function that adds the cost of the target to the progress of a job, by its own prices and those of a table. */
export function costOfTarget(
  { target, config }: Pick<RunnableJob, "target" | "config">,
  table: PriceTable | undefined,
): AddCost {
  const name = target.model?.api_endpoint?.model_id
  const prices = pricesOfJob(config, table)
  if (prices === undefined || name === undefined) return (progress) => progress
  const price = findPrice(prices, name)
  const { currency } = prices
  return (progress) => {
    const amount = price === undefined ? undefined : tokenSums.cost(price, progress.tokens)
    return { ...progress, cost: amount === undefined ? null : { amount, currency } }
  }
}
