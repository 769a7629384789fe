import { findPrice, type EvaluationTargetBody, type PriceTable } from "@assay/schemas"
import { type JobProgress, tokenSums } from "@assay/results"

/** Returns a progress with what its tokens cost: null if the model has no price, or if the tokens are not known. Without prices, it stays as it is. */
export type AddCost = (progress: JobProgress) => JobProgress

/** Returns the function that adds the cost to the progress of a job with this target. */
export function costOfTarget({ model }: EvaluationTargetBody, prices: PriceTable | undefined): AddCost {
  const name = model?.api_endpoint?.model_id
  if (prices === undefined || name === undefined) return (progress) => progress
  const price = findPrice(prices, name)
  const { currency } = prices
  return (progress) => {
    const amount = price === undefined ? undefined : tokenSums.cost(price, progress.tokens)
    return { ...progress, cost: amount === undefined ? null : { amount, currency } }
  }
}
