import type { ChatMessage } from "@assay/schemas"
import type { JudgeOptions } from "../../judge.ts"
import { type RailOutcome, inputOf, outputOf } from "../rail.ts"
import type { OpenedRails } from "../opened-rails.ts"
import { runInOrder, runUntilBlocked } from "../run-rails.ts"

/**
 * Runs the input rails on the last message of the user.
 * @throws `invalid_request` if there is no message of the user
 */
export async function judgeRequest(
  { input, inOrder }: Pick<OpenedRails, "input" | "inOrder">,
  messages: readonly ChatMessage[],
  options: JudgeOptions,
): Promise<readonly RailOutcome[]> {
  if (input.length === 0) return []
  const run = inOrder.input ? runInOrder : runUntilBlocked
  const outcomes = await run(input, inputOf(messages), options)
  return outcomes.filter((outcome) => outcome !== null)
}

/** Runs the output rails on a message of the assistant: its text and its tool calls. Without both, none runs. */
export async function judgeResponse(
  { output, inOrder }: Pick<OpenedRails, "output" | "inOrder">,
  messages: readonly ChatMessage[],
  { response, ...options }: JudgeOptions & { readonly response: ChatMessage },
): Promise<readonly RailOutcome[]> {
  const judged = outputOf(messages, response)
  if (output.length === 0 || judged.bot_response === "") return []
  const run = inOrder.output ? runInOrder : runUntilBlocked
  const outcomes = await run(output, judged, options)
  return outcomes.filter((outcome) => outcome !== null)
}
