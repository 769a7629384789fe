import { valueText } from "../../rows/value-text.ts"
import { listOf } from "@assay/json"
import type { ScoreInput } from "../bound-metric.ts"
import type { DefineMetric } from "../metric-definition.ts"
import { conversationText } from "./conversation.ts"
import { judgedMetric, ratingIn } from "./judged-metric.ts"

const RATINGS = [1, 2, 3, 4, 5]

/**
 * `trajectory_evaluation`: how well an agent did its task, judged by the messages in `user_input` or the steps in
 * `intermediate_steps`. The judge rates 1 to 5; the score is (rating − 1) / 4. `reference` is shown to the judge if there is one.
 * Source: the scale of LangChain's trajectory evaluator; the prompt is ours.
 */
export const trajectoryMetric: DefineMetric = (setup) =>
  judgedMetric(setup, {
    fields: [["user_input", "question", "input", "prompt"]],
    answer: {
      type: "object",
      properties: { reason: { type: "string" }, rating: { type: "integer", minimum: 1, maximum: 5 } },
      required: ["reason", "rating"],
    },
    prompts: (input) => [prompt(input)],
    read(reply) {
      const { value, reason } = ratingIn(reply, RATINGS)
      if (value === null) return { scores: { trajectory_evaluation: "NaN" }, unreadable: reply.unreadable(reason) }
      return { scores: { trajectory_evaluation: (value - 1) / 4 } }
    },
  })

function prompt(input: ScoreInput): string {
  const { item } = input
  const steps = listOf(item["intermediate_steps"]).map((step, index) => `${index + 1}. ${valueText(step)}`)
  const final = item["generated_answer"]
  const reference = item["reference"] ?? item["answer"]
  return `Below is what an agent did about a task.

<conversation>
${conversationText(input)}
</conversation>
${section("steps", steps.join("\n"))}${section("final_answer", final)}${section("reference_answer", reference)}
Rate how it went about it: is the final answer right and helpful, were the steps in a sensible order, were the right tools used, were any steps useless or missing?
5: right answer, no step too many and none missing. 4: right answer with small detours. 3: right in part, or with many detours.
2: mostly wrong. 1: wrong, or it did not do the task.

Answer in JSON alone: {"reason": "one or two sentences", "rating": 1 to 5}`
}

function section(name: string, value: unknown): string {
  const text = valueText(value)
  return text === "" ? "" : `<${name}>\n${text}\n</${name}>\n`
}
