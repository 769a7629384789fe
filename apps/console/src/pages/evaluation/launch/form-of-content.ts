import { isObject } from "@assay/json"
import type { EvaluationContent } from "@assay/schemas"
import { contentOfForm, FIRST_FORM, METRICS, type FormMetric, type LaunchForm } from "./launch-form.ts"

/** A form, and the paths of the file that it has no fields for. They would be lost. */
export interface FormReading {
  readonly form: LaunchForm
  readonly others: readonly string[]
}

/** Reads an evaluation file into the fields of the form. */
export function formOfContent(content: EvaluationContent): FormReading {
  const form = fieldsOf(content)
  // The form cannot say the parts that it does not write again.
  return { form, others: differences(content, contentOfForm(form)) }
}

function fieldsOf({ namespace, description, target, config }: EvaluationContent): LaunchForm {
  const kind = typeof target === "object" && target.type === "cached_outputs" ? "outputs" : "model"
  const endpoint = at(target, "model", "api_endpoint")
  const task = at(config, "tasks", "answers")
  const metrics = at(task, "metrics")
  const params = at(config, "params")
  return {
    ...FIRST_FORM,
    workspace: namespace ?? "default",
    description: description ?? "",
    kind,
    ...(kind === "model"
      ? {
          url: scalarText(at(endpoint, "url")),
          model: scalarText(at(endpoint, "model_id")),
          secret: scalarText(at(endpoint, "api_key_secret")),
          prompt: scalarText(at(task, "params", "template", "messages", "0", "content")),
        }
      : {}),
    dataset: datasetOf(scalarText(at(task, "dataset", "files_url"))),
    reference: referenceOf(metrics),
    metrics: (Object.keys(METRICS) as FormMetric[]).filter((metric) => at(metrics, metric) !== undefined),
    limit: scalarText(at(params, "limit_samples")),
    parallelism: scalarText(at(params, "parallelism")),
  }
}

function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>)[key] : undefined),
    value,
  )
}

function scalarText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : ""
}

function datasetOf(url: string): string {
  const [, fileset, path] = /^assay:\/\/datasets\/([^/]+\/[^/]+)(?:\/(.+))?$/u.exec(url) ?? []
  if (fileset === undefined) return url
  return path === undefined ? fileset : `${fileset}#${path}`
}

/** Returns the field of the rows that the first metric compares with. */
function referenceOf(metrics: unknown): string {
  if (!isObject(metrics)) return FIRST_FORM.reference
  const texts = Object.values(metrics).flatMap((metric) => [
    at(metric, "params", "check", "2"),
    at(metric, "params", "ground_truth"),
  ])
  const found = texts.map((text) => /^\{\{ item\.(.+) \}\}$/u.exec(scalarText(text))?.[1])
  return found.find((field) => field !== undefined) ?? FIRST_FORM.reference
}

/** Returns the paths at which two values differ, from the outside in. A list is one value. */
export function differences(one: unknown, other: unknown, above: readonly string[] = []): readonly string[] {
  if (isObject(one) && isObject(other)) {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)])
    return [...keys].flatMap((key) => differences(one[key], other[key], [...above, key]))
  }
  return JSON.stringify(one) === JSON.stringify(other) ? [] : [above.join(".")]
}
