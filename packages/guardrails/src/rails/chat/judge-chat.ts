import { invalidRequest, type ChatMessage } from "@assay/schemas"
import type { JudgeOptions } from "../../judge.ts"
import type { OpenedRails } from "../opened-rails.ts"
import { inputOf, outputOf, type RailOutcome } from "../rail.ts"
import type { DeclaredTools } from "../rules/declared-tools.ts"
import type { ToolRail, ToolTraffic } from "../rules/rule.ts"
import { callsOf } from "../rules/tool-call.ts"
import { toolExchanges } from "../rules/tool-exchanges.ts"
import { placed, runInOrder, runUntilBlocked, statusOf, type PlacedOutcome } from "../run-rails.ts"

/**
 * Runs the rules for results of tools and, unless they block, the input rails on the last message of the user.
 * @throws `invalid_request` if there is no message of the user, or one without content
 */
export async function judgeRequest(
  { input, toolInput, inOrder }: Pick<OpenedRails, "input" | "toolInput" | "inOrder">,
  messages: readonly ChatMessage[],
  { declared, ...options }: JudgeOptions & { readonly declared: DeclaredTools },
): Promise<readonly PlacedOutcome[]> {
  checkContents(messages)
  const rules = toolExchanges(messages).length > 0 ? toolInput : []
  const ruled = placed(await runRules(rules, { messages, response: null, declared }), "tool_input")
  if (input.length === 0 || isBlocked(ruled)) return ruled
  const run = inOrder.input ? runInOrder : runUntilBlocked
  const outcomes = await run(input, inputOf(messages), options)
  return [
    ...ruled,
    ...placed(
      outcomes.filter((outcome) => outcome !== null),
      "input",
    ),
  ]
}

/** Checks that each message has content. Messages of assistants may have calls instead. @throws `invalid_request` */
function checkContents(messages: readonly ChatMessage[]): void {
  const index = messages.findIndex(({ role, content }) =>
    role === "assistant" ? false : role === "function" ? content === undefined : content == null,
  )
  if (index < 0) return
  const msg = `is missing: a message of role '${messages[index]?.role}' needs a text or a list of parts`
  throw invalidRequest(["body", "messages", index, "content"], msg, "missing")
}

/** An answer to judge, and the tools that it may call. */
export interface JudgedAnswer {
  readonly response: ChatMessage
  readonly declared: DeclaredTools
}

/**
 * Runs the rules for calls of tools and, unless they block, the output rails on a message of the assistant: its text and its tool
 * calls. Without both, none runs.
 */
export async function judgeResponse(
  { output, toolOutput, inOrder }: Pick<OpenedRails, "output" | "toolOutput" | "inOrder">,
  messages: readonly ChatMessage[],
  { response, declared, ...options }: JudgeOptions & JudgedAnswer,
): Promise<readonly PlacedOutcome[]> {
  const judged = outputOf(messages, response)
  if (judged.bot_response === "") return []
  const hasCalls = callsOf(response).length > 0
  const rules = hasCalls ? toolOutput : []
  const ruled = placed(await runRules(rules, { messages, response, declared }), "tool_output")
  if (output.length === 0 || isBlocked(ruled)) return ruled
  const run = inOrder.output ? runInOrder : runUntilBlocked
  const outcomes = await run(output, judged, options)
  return [
    ...ruled,
    ...placed(
      outcomes.filter((outcome) => outcome !== null),
      "output",
    ),
  ]
}

/** Runs rules one after the other until one blocks. */
async function runRules(rails: readonly ToolRail[], traffic: ToolTraffic): Promise<readonly RailOutcome[]> {
  const outcomes: RailOutcome[] = []
  for (const rail of rails) {
    const outcome = await rail.run(traffic)
    outcomes.push(outcome)
    if (outcome.rail.status === "blocked") break
  }
  return outcomes
}

const isBlocked = (outcomes: readonly PlacedOutcome[]) => statusOf(outcomes.map(({ rail }) => rail)) === "blocked"
