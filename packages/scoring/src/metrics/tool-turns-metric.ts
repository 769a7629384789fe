import { fieldsOf, listOf } from "@assay/json"
import { toolCallsOf } from "@assay/inference"
import { checkCallTurns } from "@assay/metrics"
import { AssayError, invalidRequest } from "@assay/schemas"
import { answerParts } from "../rows/given-answers.ts"
import { agentToolCalls, rowField } from "./agentic/conversation.ts"
import type { ScoreInput } from "./bound-metric.ts"
import { type DefineMetric, type MetricSetup, plainMetric } from "./metric-definition.ts"
import { flagOf, optionalTemplate, requiredTemplate } from "./metric-templates.ts"

const MESSAGES = ["messages", "conversation", "user_input"] as const

/**
 * `tool-call-turns`: 1 if a finished conversation makes the expected calls turn by turn, else 0, and as `turns` the share of turns before the first
 * wrong one. A turn begins with each message of the user. `turns` is the ground truth of BFCL's multi-turn categories, `functions` has the
 * order and the defaults of parameters, and `strict_empty` refuses calls in turns that expect none.
 */
export const toolTurnsMetric: DefineMetric = (setup) => {
  const turns = requiredTemplate(setup, ["turns"])
  const functions = optionalTemplate(setup, ["functions"])
  const messages = optionalTemplate(setup, ["messages"])
  const strictEmpty = flagOf(setup, "strict_empty")
  return plainMetric(setup, {
    scores: ["tool-call-turns", "turns"],
    ranges: { turns: [0, 1] },
    templates: [turns, functions, messages].filter((template) => template !== undefined),
    fields: messages === undefined ? [{ anyOf: MESSAGES, by: setup.name }] : [],
    score(input) {
      const conversation = messages === undefined ? rowField(input, ...MESSAGES) : messages.evaluate(input)
      const expected = { turns: turns.evaluate(input), functions: functions?.evaluate(input), strictEmpty }
      const found = checkCallTurns(callsByTurn(conversation, input), expected)
      return { scores: { "tool-call-turns": found.isRight ? 1 : 0, turns: found.share } }
    },
  })
}

/** Returns the calls of the assistant after each message of the user. The scored answer belongs to the last turn. @throws `rows_invalid` */
function callsByTurn(conversation: unknown, { sample }: ScoreInput): readonly (readonly unknown[])[] {
  if (!Array.isArray(conversation)) {
    throw new AssayError(
      "rows_invalid",
      "The conversation of the row is not a list of messages with 'role' and 'tool_calls'.",
    )
  }
  const turns: unknown[][] = []
  for (const message of [
    ...listOf(conversation).map(fieldsOf),
    { tool_calls: answerParts(sample.response).toolCalls },
  ]) {
    const { role, type } = message as { role?: unknown; type?: unknown }
    if (role === "user" || type === "human") turns.push([])
    else turns.at(-1)?.push(...toolCallsOf(message))
  }
  return turns
}

const EXPECTED = ["none", "some"] as const

/**
 * `tool-call-relevance`: 1 if the answer calls no tool, where none fits the question; with `expected: some`, 1 if it calls any. A call whose arguments are
 * not JSON is none.
 * Source: the categories irrelevance and relevance of BFCL v4.
 */
export const toolRelevanceMetric: DefineMetric = (setup) => {
  const expected = expectedOf(setup)
  return plainMetric(setup, {
    scores: ["tool-call-relevance"],
    templates: [],
    score({ sample }) {
      const calls = agentToolCalls(answerParts(sample.response).toolCalls).filter(({ args }) => args !== undefined)
      return { scores: { "tool-call-relevance": calls.length > 0 === (expected === "some") ? 1 : 0 } }
    },
  })
}

function expectedOf({ params, name }: MetricSetup): (typeof EXPECTED)[number] {
  const given = params["expected"] ?? "none"
  const found = EXPECTED.find((one) => one === given)
  if (found !== undefined) return found
  throw invalidRequest([...name.split("."), "expected"], `is not one of ${EXPECTED.join(", ")}.`, "enum", given)
}
