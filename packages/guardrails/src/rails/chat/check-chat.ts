import type { ChatBody, CheckAnswer } from "@assay/schemas"
import type { OpenedRails } from "../opened-rails.ts"
import { checkFailures, statusOf } from "../run-rails.ts"
import { judgeRequest, judgeResponse } from "./judge-chat.ts"

/** Runs the input rails and, unless they block, the output rails if the last message is the assistant's. */
export async function checkChat(
  opened: OpenedRails,
  { messages }: ChatBody,
  signal: AbortSignal | undefined,
): Promise<CheckAnswer> {
  const last = messages.at(-1)
  const response = last?.role === "assistant" ? last : null
  const request = response === null ? messages : messages.slice(0, -1)
  const asked = await judgeRequest(opened, request, signal)
  const isBlocked = statusOf(asked.map(({ rail }) => rail)) === "blocked"
  const answered = response === null || isBlocked ? [] : await judgeResponse(opened, request, { response, signal })
  const outcomes = [...asked, ...answered]
  checkFailures(outcomes)
  const rails = outcomes.map(({ rail }) => rail)
  return {
    status: statusOf(rails),
    rails_status: Object.fromEntries(rails.map(({ name, status }) => [name, { status }])),
    guardrails_data: { log: { activated_rails: rails } },
  }
}
