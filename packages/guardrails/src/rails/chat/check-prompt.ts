import { invalidRequest } from "@assay/schemas"
import type { CheckedPrompt, JudgeOptions, PromptToCheck } from "../../judge.ts"
import type { OpenedRails } from "../opened-rails.ts"
import { inputOf, outputOf } from "../rail.ts"
import { runAll, statusOf } from "../run-rails.ts"

/** Runs every rail of a place on one text, each to its end. */
export async function checkPrompt(
  { input, output }: OpenedRails,
  { prompt, response }: PromptToCheck,
  options: JudgeOptions,
): Promise<CheckedPrompt> {
  const user = { role: "user", content: prompt }
  const rails = response === undefined ? input : output
  if (rails.length === 0) {
    const place = response === undefined ? "input" : "output"
    const msg = `has no flows, so nothing judges ${response === undefined ? "a prompt" : "a response"}; add one`
    throw invalidRequest(["body", "data", "rails", place], msg, "no_rails")
  }
  const text = response === undefined ? inputOf([user]) : outputOf([user], { role: "assistant", content: response })
  const outcomes = await runAll(rails, text, options)
  return {
    status: statusOf(outcomes.map(({ rail }) => rail)),
    rails: outcomes.map(({ rail, answers }) => ({ rail, answers })),
  }
}
