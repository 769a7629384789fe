import type { ChatAnswer } from "@assay/inference"
import type { ChatBody, ChatMessage } from "@assay/schemas"
import type { GuardedCompletion } from "../../guardrail.ts"
import type { JudgeOptions } from "../../judge.ts"
import { judgesAnswers, mainRequest, toolsOf, type OpenedRails } from "../opened-rails.ts"
import type { RailOutcome } from "../rail.ts"
import { checkKnown, shownRails, statusOf } from "../run-rails.ts"
import { askMain } from "./ask-main.ts"
import { blockedBody } from "./blocked-answer.ts"
import { judgeRequest, judgeResponse } from "./judge-chat.ts"
import { judgedParts } from "./judged-parts.ts"

/** Runs the rails of the request, asks the model, and runs the rails of the answer, in sequence: a blocked request costs no call of the model. */
export async function completeChat(
  opened: OpenedRails,
  chat: ChatBody,
  options: JudgeOptions,
): Promise<GuardedCompletion> {
  const main = opened.getMain(chat.model)
  const request = mainRequest(opened, main, chat)
  const judging = { ...options, declared: toolsOf(opened, chat) }
  const { refusal, context } = opened
  const isBlocked = (outcomes: readonly RailOutcome[]) => statusOf(outcomes.map(({ rail }) => rail)) === "blocked"

  const asked = await judgeRequest(opened, chat.messages, judging)
  checkKnown(asked)
  if (isBlocked(asked)) {
    const body = blockedBody({ refusal, model: main.model, answered: null, context })
    return { body, activatedRails: shownRails(asked), isBlocked: true }
  }
  const answer = await askMain(main, request, options)
  const answered = await judgeResponse(opened, chat.messages, { ...judging, response: assistantMessage(answer) })
  checkKnown(answered)
  const activatedRails = shownRails([...asked, ...answered])
  const shown = judgesAnswers(opened) ? judgedParts(answer.body) : answer.body
  if (!isBlocked(answered)) return { body: { ...shown, model: main.model }, activatedRails, isBlocked: false }
  const body = blockedBody({ refusal, model: main.model, answered: answer.body, context })
  return { body, activatedRails, isBlocked: true }
}

function assistantMessage({ text, toolCalls }: ChatAnswer): ChatMessage {
  return { role: "assistant", content: text, ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }) }
}
