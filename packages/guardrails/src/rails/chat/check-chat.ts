import { type ChatBody, type CheckAnswer, invalidRequest } from "@assay/schemas"
import type { CheckedPrompt, JudgeOptions, PromptToCheck } from "../../judge.ts"
import { toolsOf, type OpenedRails } from "../opened-rails.ts"
import { inputOf, outputOf } from "../rail.ts"
import { checkFailures, runAll, shownRails, statusOf } from "../run-rails.ts"
import { judgeRequest, judgeResponse } from "./judge-chat.ts"

/** Runs the rails of the request and, unless they block, those of the answer if the last message is the assistant's. */
export async function checkChat(opened: OpenedRails, chat: ChatBody, options: JudgeOptions): Promise<CheckAnswer> {
  const { messages } = chat
  const judging = { ...options, declared: toolsOf(opened, chat) }
  const last = messages.at(-1)
  const response = last?.role === "assistant" ? last : null
  const request = response === null ? messages : messages.slice(0, -1)
  const asked = await judgeRequest(opened, request, judging)
  const isBlocked = statusOf(asked.map(({ rail }) => rail)) === "blocked"
  const answered = response === null || isBlocked ? [] : await judgeResponse(opened, request, { ...judging, response })
  const outcomes = [...asked, ...answered]
  checkFailures(outcomes)
  const rails = shownRails(outcomes)
  return {
    status: statusOf(rails),
    rails_status: Object.fromEntries(rails.map(({ name, status }) => [name, { status }])),
    guardrails_data: { log: { activated_rails: [...rails] } },
  }
}

/** Runs every rail of a direction on one text, each to its end. */
export async function checkPrompt(
  { input, output }: OpenedRails,
  { prompt, response }: PromptToCheck,
  options: JudgeOptions,
): Promise<CheckedPrompt> {
  const user = { role: "user", content: prompt }
  const rails = response === undefined ? input : output
  if (rails.length === 0) {
    const direction = response === undefined ? "input" : "output"
    const msg = `has no flows, so nothing judges ${response === undefined ? "a prompt" : "a response"}; add one`
    throw invalidRequest(["body", "data", "rails", direction], msg, "no_rails")
  }
  const text = response === undefined ? inputOf([user]) : outputOf([user], { role: "assistant", content: response })
  const outcomes = await runAll(rails, text, options)
  return {
    status: statusOf(outcomes.map(({ rail }) => rail)),
    rails: outcomes.map(({ rail, answers }) => ({ rail, answers })),
  }
}
