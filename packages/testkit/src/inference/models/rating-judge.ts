import { hash } from "node:crypto"
import type { FakeModel } from "../fake-model.ts"
import { askedText } from "./asked-text.ts"

/** Rates each prompt with a number from 1 to 5 that is always the same, and returns the log-probabilities of all five if they are requested. */
export const ratingJudgeModel: FakeModel = (body) => {
  const { prompt } = askedText(body)
  const share = Number.parseInt(hash("sha256", prompt).slice(0, 8), 16) / 2 ** 32
  const rating = 1 + Math.floor(5 * share)
  const content = String(rating)
  if (body["logprobs"] !== true) return { content }
  const logprobOf = (score: number) => Math.log(score === rating ? 0.6 : 0.1)
  const top = [1, 2, 3, 4, 5].map((score) => ({ token: String(score), logprob: logprobOf(score) }))
  return { content, logprobs: { content: [{ token: content, logprob: logprobOf(rating), top_logprobs: top }] } }
}
