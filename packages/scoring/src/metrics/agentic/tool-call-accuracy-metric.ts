import { AssayError } from "@assay/schemas"
import { nearestNumbers } from "@assay/json"
import { isJsonEqual, meanOf } from "@assay/metrics"
import { answerParts } from "../../rows/given-answers.ts"
import type { ScoreInput } from "../bound-metric.ts"
import { plainMetric, type DefineMetric } from "../metric-definition.ts"
import { agentToolCalls, callsInConversation, rowField, type AgentToolCall } from "./conversation.ts"

/**
 * `tool_call_accuracy`: 0 if the calls in `user_input` and in the answer differ from `reference_tool_calls` in name or order. Otherwise
 * the mean over the expected calls of the share of arguments that are equal as JSON. 1 if no call is expected and none was made.
 * With `strict_order: false`, the order does not matter.
 * Source: Ragas' ToolCallAccuracy, which compares arguments as texts instead.
 */
export const toolCallAccuracyMetric: DefineMetric = (setup) => {
  const isStrict = setup.params["strict_order"] !== false
  const by = "tool_call_accuracy"
  return plainMetric(setup, {
    scores: ["tool_call_accuracy"],
    templates: [],
    fields: [
      { anyOf: ["user_input", "response"], by },
      { anyOf: ["reference_tool_calls"], by },
    ],
    score(input) {
      const wanted = agentToolCalls(rowField(input, "reference_tool_calls"))
      const malformed = wanted.find(({ args }) => args === undefined)
      if (malformed !== undefined) {
        const message = `The arguments of '${malformed.name}' in 'reference_tool_calls' are not a JSON object; correct the row.`
        throw new AssayError("rows_invalid", message)
      }
      return { scores: { tool_call_accuracy: accuracy(callsOf(input), wanted, isStrict) } }
    },
  })
}

function callsOf({ item, sample }: ScoreInput): readonly AgentToolCall[] {
  return [...callsInConversation(item["user_input"]), ...agentToolCalls(answerParts(sample.response).toolCalls)]
}

function accuracy(made: readonly AgentToolCall[], wanted: readonly AgentToolCall[], isStrict: boolean): number {
  if (made.length !== wanted.length) return 0
  if (wanted.length === 0) return 1
  const own = isStrict ? made : sorted(made)
  const expected = isStrict ? wanted : sorted(wanted)
  if (expected.some(({ name }, index) => own[index]?.name !== name)) return 0
  return meanOf(expected.map(({ args }, index) => shareOfArgs(own[index]?.args, args)))
}

/** Returns the share of arguments that are equal. Arguments that are not a JSON object are wrong. */
function shareOfArgs(made: AgentToolCall["args"], wanted: AgentToolCall["args"] = {}): number {
  if (made === undefined) return 0
  const names = Object.keys(wanted)
  if (names.length === 0) return Object.keys(made).length === 0 ? 1 : 0
  return (
    names.filter((name) => Object.hasOwn(made, name) && isJsonEqual(made[name], wanted[name])).length / names.length
  )
}

/** Sorts calls by name and arguments, so that matching calls have the same position. */
function sorted(calls: readonly AgentToolCall[]): readonly AgentToolCall[] {
  const keyOf = ({ name, args }: AgentToolCall) =>
    JSON.stringify([
      name,
      Object.entries(nearestNumbers(args ?? {}) as object).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ])
  return calls.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}
