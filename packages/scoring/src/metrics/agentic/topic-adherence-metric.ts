import { valueText } from "../../rows/value-text.ts"
import { fieldsOf, listOf } from "@assay/json"
import { readAgreed } from "@assay/metrics"
import { invalidRequest } from "@assay/schemas"
import type { DefineMetric } from "../metric-definition.ts"
import { conversationText, rowField } from "./conversation.ts"
import { judgedMetric } from "./judged-metric.ts"

const MODES = ["f1", "precision", "recall"] as const

interface Topic {
  readonly isAnswered: boolean
  readonly isAllowed: boolean
}

/**
 * `topic_adherence`: whether the assistant answered topics of `reference_topics` and refused others. Over the topics that the user
 * raised, precision = answered and allowed / answered, recall = answered and allowed / allowed. `metric_mode` is one of them, or `f1`,
 * their harmonic mean (default). 0 for 0/0; NaN if the judge finds no topic.
 * Source: Ragas' TopicAdherenceScore, here in one question instead of several; the prompt is ours.
 */
export const topicAdherenceMetric: DefineMetric = (setup) => {
  const mode = modeOf(setup.params["metric_mode"], setup.name)
  return judgedMetric(setup, {
    fields: [["user_input", "question", "input", "prompt"], ["reference_topics"]],
    answer: {
      type: "object",
      properties: {
        topics: {
          type: "array",
          items: {
            type: "object",
            properties: { topic: { type: "string" }, answered: { type: "boolean" }, allowed: { type: "boolean" } },
            required: ["topic", "answered", "allowed"],
          },
        },
      },
      required: ["topics"],
    },
    prompts(input) {
      const allowed = rowField(input, "reference_topics")
      const names = Array.isArray(allowed) ? allowed.map(valueText) : [valueText(allowed)]
      return [prompt(conversationText(input), names)]
    },
    read(reply) {
      const { value, reason } = readAgreed(reply, ["topics"], topicsOf)
      if (value === null || value.length === 0) {
        return { scores: { topic_adherence: "NaN" }, unreadable: reply.unreadable(reason) }
      }
      return { scores: { topic_adherence: adherence(value, mode) } }
    },
  })
}

function modeOf(mode: unknown, name: string): (typeof MODES)[number] {
  const found = MODES.find((one) => one === (mode ?? "f1"))
  if (found !== undefined) return found
  throw invalidRequest(
    [...name.split("."), "metric_mode"],
    `is ${JSON.stringify(mode)}; use ${MODES.join(", ")}.`,
    "enum",
    mode,
  )
}

function topicsOf(topics: unknown): readonly Topic[] | undefined {
  if (!Array.isArray(topics)) return undefined
  const read = listOf(topics).map(fieldsOf)
  if (!read.every(({ answered, allowed }) => typeof answered === "boolean" && typeof allowed === "boolean"))
    return undefined
  return read.map(({ answered, allowed }) => ({ isAnswered: answered === true, isAllowed: allowed === true }))
}

function adherence(topics: readonly Topic[], mode: (typeof MODES)[number]): number {
  const both = topics.filter(({ isAnswered, isAllowed }) => isAnswered && isAllowed).length
  const precision = share(both, topics.filter(({ isAnswered }) => isAnswered).length)
  const recall = share(both, topics.filter(({ isAllowed }) => isAllowed).length)
  if (mode === "f1") return share(2 * precision * recall, precision + recall)
  return mode === "precision" ? precision : recall
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}

function prompt(conversation: string, topics: readonly string[]): string {
  return `Below is a conversation between a user and an assistant that may speak of certain topics only.

<conversation>
${conversation}
</conversation>
<allowed_topics>
${topics.map((topic) => `- ${topic}`).join("\n")}
</allowed_topics>

List every topic that the user asked about, and say for each:
"answered": true if the assistant answered it, false if the assistant refused or evaded it;
"allowed": true if it belongs to one of the allowed topics.

Answer in JSON alone: {"topics": [{"topic": "…", "answered": true or false, "allowed": true or false}]}`
}
