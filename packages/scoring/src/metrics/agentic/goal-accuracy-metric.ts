import { valueText } from "../../rows/value-text.ts"
import { readAgreed } from "@assay/metrics"
import type { DefineMetric } from "../metric-definition.ts"
import { conversationText, rowField } from "./conversation.ts"
import { judgedMetric } from "./judged-metric.ts"

/**
 * `agent_goal_accuracy_with_reference` and `…_without_reference`: 1 if the conversation reached the outcome in `reference`, or without
 * a reference, what the user wanted; else 0.
 * Source: Ragas' AgentGoalAccuracy, here in one question instead of two; the prompt is ours.
 */
export const goalAccuracyMetric: DefineMetric = (setup) => {
  const hasReference = setup.type === "agent_goal_accuracy_with_reference"
  return judgedMetric(setup, {
    fields: [["user_input", "question", "input", "prompt"], ...(hasReference ? [["reference"]] : [])],
    answer: {
      type: "object",
      properties: { outcome: { type: "string" }, achieved: { type: "boolean" } },
      required: ["outcome", "achieved"],
    },
    prompts: (input) => [
      prompt(conversationText(input), hasReference ? valueText(rowField(input, "reference")) : undefined),
    ],
    read(reply) {
      const { value, reason } = readAgreed(reply, ["achieved"], booleanOf)
      if (value === null) return { scores: { [setup.type]: "NaN" }, unreadable: reply.unreadable(reason) }
      return { scores: { [setup.type]: value ? 1 : 0 } }
    },
  })
}

function booleanOf(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value
  const word = typeof value === "string" || typeof value === "number" ? String(value).toLowerCase() : ""
  if (word === "true" || word === "yes" || word === "1") return true
  return word === "false" || word === "no" || word === "0" ? false : undefined
}

function prompt(conversation: string, reference: string | undefined): string {
  const goal =
    reference === undefined
      ? "Work out what the user wanted to have done in the end, and what was really done."
      : `The outcome that was wanted is:\n<wanted_outcome>\n${reference}\n</wanted_outcome>\nWork out what was really done in the end.`
  return `Below is a conversation between a user and an assistant that can call tools.

<conversation>
${conversation}
</conversation>

${goal}
The goal is achieved only if all of it was done; a promise or a plan to do it does not count.

Answer in JSON alone: {"outcome": "what was done in the end, in one sentence", "achieved": true or false}`
}
