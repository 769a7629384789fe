import type { EvaluationContent } from "@assay/schemas"
import { filesUrl } from "../../../api/files-url.ts"

export const METRICS = {
  contains: "the answer contains the reference",
  equals: "the answer equals the reference",
  em: "exact match, without case and punctuation",
  f1: "overlap of words (F1)",
} as const
export type FormMetric = keyof typeof METRICS

/** The fields of the launch form. */
export interface LaunchForm {
  readonly workspace: string
  readonly description: string
  readonly kind: "model" | "outputs"
  readonly url: string
  readonly model: string
  readonly secret: string
  /** `workspace/fileset#path`. */
  readonly dataset: string
  readonly prompt: string
  /** The field of the rows with the expected answer. */
  readonly reference: string
  readonly metrics: readonly FormMetric[]
  readonly limit: string
  readonly parallelism: string
}

export const FIRST_FORM: LaunchForm = {
  workspace: "default",
  description: "",
  kind: "model",
  url: "http://127.0.0.1:9000/v1",
  model: "echo",
  secret: "",
  dataset: "default/questions#rows.jsonl",
  prompt: "{{ item.question }}",
  reference: "answer",
  metrics: ["contains"],
  limit: "",
  parallelism: "",
}

/** Returns the evaluation file that a form describes. It is also the body of the launch. */
export function contentOfForm(form: LaunchForm): EvaluationContent & { readonly namespace: string } {
  const files_url = filesUrl(form.dataset)
  const reference = `{{ item.${form.reference} }}`
  const metrics = Object.fromEntries(form.metrics.map((metric) => [metric, metricOf(metric, reference)]))
  const params = {
    ...(form.limit === "" ? {} : { limit_samples: Number(form.limit) }),
    ...(form.parallelism === "" ? {} : { parallelism: Number(form.parallelism) }),
  }
  const template = { messages: [{ role: "user", content: form.prompt }] }
  const task =
    form.kind === "model"
      ? { type: "chat-completion", params: { template }, dataset: { files_url }, metrics }
      : { type: "data", dataset: { files_url }, metrics }
  const endpoint = {
    url: form.url,
    model_id: form.model,
    ...(form.secret === "" ? {} : { api_key_secret: form.secret }),
  }
  const target =
    form.kind === "model"
      ? { type: "model" as const, model: { api_endpoint: endpoint } }
      : { type: "cached_outputs" as const, cached_outputs: { files_url } }
  return {
    namespace: form.workspace,
    ...(form.description === "" ? {} : { description: form.description }),
    target,
    config: { type: "custom", ...(Object.keys(params).length === 0 ? {} : { params }), tasks: { answers: task } },
  }
}

function metricOf(metric: FormMetric, reference: string) {
  if (metric === "contains" || metric === "equals") {
    return { type: "string-check", params: { check: ["{{ sample.output_text }}", metric, reference] } }
  }
  return { type: metric, params: { ground_truth: reference } }
}
