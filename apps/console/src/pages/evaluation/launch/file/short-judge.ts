import { fieldsOf } from "@assay/json"
import { shortModel } from "./short-model.ts"

/** Returns the parameters of `llm-judge` as `judge` of a short file, which may say the same. Undefined: it can't. */
export function shortJudge(params: Readonly<Record<string, unknown>>): object | undefined {
  const { model, template, scores } = params
  const { messages } = fieldsOf(template)
  const [first] = Array.isArray(messages) ? messages.map(fieldsOf) : []
  const question = first?.["content"]
  const [score, other] = Object.entries(fieldsOf(scores))
  if (typeof question !== "string" || score === undefined || other !== undefined) return undefined
  const { api_endpoint: endpoint, inference_params: parameters } = fieldsOf(model)
  return {
    // The last line is the instruction for the scale.
    ask: question.slice(0, Math.max(0, question.lastIndexOf("\n"))),
    model: shortModel(fieldsOf(endpoint), fieldsOf(parameters)),
    ...(score[0] === "yes" ? {} : { scale: scaleOf(fieldsOf(score[1])) }),
  }
}

function scaleOf({ minimum, maximum, rubric }: Record<string, unknown>): unknown {
  if (!Array.isArray(rubric)) return [minimum, maximum]
  return Object.fromEntries(rubric.map(fieldsOf).map(({ label, value }) => [String(label), value]))
}
