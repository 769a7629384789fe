import { valueText } from "../../rows/value-text.ts"
import type { DefineMetric } from "../metric-definition.ts"
import { outputText } from "../texts/compared-texts.ts"
import { questionText, rowField } from "./conversation.ts"
import { judgedMetric, ratingIn } from "./judged-metric.ts"

const RATINGS = [0, 2, 4]

/**
 * `answer_accuracy`: how well the answer agrees with `reference`, 0 to 1. The judge rates it 0, 2 or 4 twice, the second time with the
 * two texts swapped, because judges favour one position. The score is the mean of the readable ratings divided by 4.
 * Source: the answer accuracy of Ragas (NVIDIA's metrics); the prompt is ours.
 */
export const answerAccuracyMetric: DefineMetric = (setup) =>
  judgedMetric(setup, {
    fields: [["user_input", "question", "input", "prompt"], ["reference"]],
    readsOutput: true,
    answer: { type: "object", properties: { rating: { type: "integer", enum: RATINGS } }, required: ["rating"] },
    prompts(input) {
      const question = questionText(input)
      const answer = outputText(input.sample)
      const reference = valueText(rowField(input, "reference"))
      return [prompt(question, answer, reference), prompt(question, reference, answer)]
    },
    read(...replies) {
      const read = replies.map((reply) => ({ reply, ...ratingIn(reply, RATINGS) }))
      const ratings = read.flatMap(({ value }) => (value === null ? [] : [value]))
      const unread = read.find(({ reason }) => reason === "contradictory") ?? read.find(({ value }) => value === null)
      if (ratings.length === 0) {
        return {
          scores: { answer_accuracy: "NaN" },
          ...(unread && { unreadable: unread.reply.unreadable(unread.reason) }),
        }
      }
      return { scores: { answer_accuracy: ratings.reduce((sum, one) => sum + one, 0) / ratings.length / 4 } }
    },
  })

function prompt(question: string, first: string, second: string): string {
  return `You compare two answers to the same question. Judge their content alone: neither length nor style counts.

<question>
${question}
</question>
<first_answer>
${first}
</first_answer>
<second_answer>
${second}
</second_answer>

How far does the first answer say the same as the second?
4: everything that the second one says is in the first, and nothing contradicts it.
2: it is in part, or some of it is missing.
0: it is not, or the first one contradicts it.

Answer in JSON alone: {"rating": 0, 2 or 4}`
}
