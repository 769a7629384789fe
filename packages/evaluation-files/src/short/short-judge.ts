import type { LocatedDocument } from "@assay/validation"
import { pointerTo } from "../document-faults.ts"
import type { ShortJudge, ShortPrompt } from "./short-evaluation.ts"
import type { ShortPairwise } from "./short-pairwise.ts"
import { expandModel } from "./short-model.ts"

export interface JudgeContext {
  readonly document: LocatedDocument
  readonly pointer: string
  /** The prompt that was answered. Undefined: it is in the rows, or no model is asked. */
  readonly prompt: ShortPrompt | undefined
  /** Whether the judge gets the messages of a conversation instead of the prompt. Default false. */
  readonly isConversation?: boolean
}

/** The messages of a conversation, each as a line, with the calls of tools. */
const CONVERSATION =
  "{% for message in sample.messages %}{{ message.role }}: {{ message.content or '' }}{% if message.tool_calls is defined and message.tool_calls %} {{ message.tool_calls | tojson }}{% endif %}\n{% endfor %}"
const OUTPUT = "{{ sample.output_text }}"

/** Expands a judge to the parameters of `llm-judge`. Its score is `yes`, or `score` on a scale. @throws `bad_document` */
export function expandJudge({ ask, model: given, scale }: ShortJudge, context: JudgeContext): Record<string, unknown> {
  const { document, pointer, prompt, isConversation = false } = context
  const { model, parameters } = expandModel(document, given, pointerTo(pointer, "model"))
  const { instruction, name, score } = scaleOf(scale)
  const question = `${ask}\n${instruction}`
  // A question that shows the answer itself is complete.
  const shown = isConversation ? CONVERSATION : [...turnsOf(prompt), `assistant: ${OUTPUT}`].join("\n")
  const messages = /\bsample\s*\./.test(ask)
    ? [{ role: "user", content: question }]
    : [
        { role: "system", content: question },
        { role: "user", content: shown },
      ]
  return {
    model: Object.keys(parameters).length === 0 ? model : { ...model, inference_params: parameters },
    template: { messages },
    scores: { [name]: score },
  }
}

/** Expands a judge of pairs to the parameters of `pairwise`. @throws `bad_document` */
export function expandPairwise(
  { ask, model: given, against, question }: ShortPairwise,
  { document, pointer, prompt, isConversation = false }: JudgeContext,
): Record<string, unknown> {
  const { model, parameters } = expandModel(document, given, pointerTo(pointer, "model"))
  const turns = isConversation ? CONVERSATION : turnsOf(prompt).join("\n")
  const request = question ?? turns
  return {
    judge: { model, ...(Object.keys(parameters).length === 0 ? {} : { inference_params: parameters }) },
    ...(ask === undefined ? {} : { ask }),
    against,
    ...(request === "" ? {} : { question: request }),
  }
}

/** Returns the turns of a prompt as lines. Messages without a text are left out. */
function turnsOf(prompt: ShortPrompt | undefined): readonly string[] {
  if (prompt === undefined) return []
  if (typeof prompt === "string") return [`user: ${prompt}`]
  if (Array.isArray(prompt)) {
    return prompt.flatMap(({ role, content }) => (typeof content === "string" ? [`${role}: ${content}`] : []))
  }
  const { user, prompt: text = user, messages } = prompt
  if (text !== undefined) return [`user: ${text}`]
  return Array.isArray(messages) ? turnsOf(messages as ShortPrompt) : []
}

interface Scale {
  /** The form of the answer that the judge is asked for. */
  readonly instruction: string
  readonly name: string
  /** The definition of the score. */
  readonly score: object
}

function scaleOf(scale: ShortJudge["scale"] = { yes: 1, no: 0 }): Scale {
  if (Array.isArray(scale)) {
    const [minimum, maximum] = scale
    return {
      instruction: `Answer with one whole number from ${minimum} to ${maximum}, and nothing else.`,
      name: "score",
      score: { type: "int", minimum, maximum, parser: { type: "regex", pattern: "(-?\\d+)", method: "search" } },
    }
  }
  const labels = Object.keys(scale)
  const isYesNo = labels.length === 2 && labels[0] === "yes" && labels[1] === "no"
  // A longer word first: `very good` contains `good`.
  const pattern = labels.toSorted((a, b) => b.length - a.length).join("|")
  return {
    instruction: `Answer with one word: ${labels.slice(0, -1).join(", ")} or ${labels.at(-1)}.`,
    name: isYesNo ? "yes" : "score",
    score: {
      type: "rubric",
      rubric: Object.entries(scale).map(([label, value]) => ({ label, value })),
      parser: { type: "regex", pattern: `(?i)\\b(${pattern})\\b`, method: "search" },
    },
  }
}
