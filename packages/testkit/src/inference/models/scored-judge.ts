import { hash } from "node:crypto"
import type { FakeModel } from "../fake-model.ts"
import { alarm } from "./alarm.ts"
import { askedText } from "./asked-text.ts"
import { findHarm } from "./find-harm.ts"

/**
 * Judges by single words, says yes or no, and returns log-probabilities if they are requested. It is surer of harm than of alarming
 * words, so that a threshold can make up for a strict prompt.
 */
export const scoredJudgeModel: FakeModel = (body) => {
  const { user, response } = askedText(body)
  const risk = riskOf(response ?? user)
  const content = risk >= 0.5 ? "yes" : "no"
  if (body["logprobs"] !== true) return { content }
  const top = [
    { token: "yes", logprob: Math.log(risk) },
    { token: "no", logprob: Math.log(1 - risk) },
  ]
  const logprob = Math.log(Math.max(risk, 1 - risk))
  return { content, logprobs: { content: [{ token: content, logprob, top_logprobs: top }] } }
}

/** Returns a probability that is always the same for one text. */
function riskOf(text: string): number {
  const share = Number.parseInt(hash("sha256", text).slice(0, 8), 16) / 2 ** 32
  if (findHarm(text).length > 0) return 0.96 + 0.039 * share
  return alarm(text).length > 0 ? 0.5 + 0.4 * share : 0.001 + 0.1 * share
}
