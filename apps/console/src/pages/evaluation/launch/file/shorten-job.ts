import { fieldsOf, isObject } from "@assay/json"
import { type EvaluationContent, launchOfContent } from "@assay/evaluation-files"
import type { EvaluationJob } from "@assay/schemas"
import { formatDocument } from "../../../../documents/document-text.ts"
import { readLaunchFile } from "./read-launch-file.ts"
import { shortCheck } from "./short-check.ts"
import { shortModel } from "./short-model.ts"
import { shortParams } from "./short-params.ts"

/** Returns the file that launches a job again: in the short form if that says the same, else in the long form. */
export async function fileOfJob(job: EvaluationJob): Promise<string> {
  const content = contentOfJob(job)
  // A judge that its short form can't say stays long, in a file that is short otherwise.
  for (const hasShortJudges of [true, false]) {
    const short = shortOf(content, hasShortJudges)
    if (short === undefined) break
    const text = await formatDocument(short, "yaml")
    const [read, other] = readLaunchFile(text).jobs
    if (read !== undefined && other === undefined && isSame(read.body, launchOfContent(content, "default"))) return text
  }
  return formatDocument(content, "yaml")
}

/** Returns the launch of a job. Records repeat the workspace of their job, or have the usual one, which bodies without a name do not use. */
function contentOfJob({ namespace, description, target, config, custom_fields }: EvaluationJob): EvaluationContent {
  const own = ({ namespace: inner, ...body }: { readonly namespace?: unknown }) =>
    inner === namespace || inner === "default" ? body : { ...body, namespace: inner }
  return {
    namespace,
    ...(description === "" ? {} : { description }),
    ...(Object.keys(custom_fields ?? {}).length === 0 ? {} : { custom_fields }),
    target: own(target) as EvaluationJob["target"],
    config: own(config) as EvaluationJob["config"],
  }
}

/** Returns a file in the short form that may say the same. Its reader decides whether it does. */
function shortOf({ target, config, ...shared }: EvaluationContent, hasShortJudges: boolean): object | undefined {
  if (typeof target !== "object" || typeof config !== "object") return undefined
  const [task, other] = Object.values(config.tasks ?? {}).map((one) => fieldsOf(one))
  if (task === undefined || other !== undefined) return undefined
  const { gates, model: ofModel, ...params } = shortParams(fieldsOf(config.params))
  const endpoint = fieldsOf(fieldsOf(target.model)["api_endpoint"])
  const asked = target.type === "model" ? shortModel(endpoint, { ...ofModel, ...reasoningOf(target.model) }) : undefined
  const dataset = target.type === "rows" ? target.rows : (task["dataset"] ?? target.cached_outputs)
  const template = fieldsOf(fieldsOf(task["params"])["template"])
  const checks = Object.entries(fieldsOf(task["metrics"])).map(([name, metric]) =>
    shortCheck(name, fieldsOf(metric), hasShortJudges),
  )
  return {
    ...(config.name === undefined ? {} : { name: config.name }),
    ...(asked === undefined ? { output: task["output"] ?? "{{ output }}" } : { model: asked }),
    data: shortData(dataset),
    ...(Object.keys(template).length === 0 ? {} : { prompt: shortPrompt(template) }),
    checks,
    ...(gates.length === 0 ? {} : { gates }),
    ...params,
    ...shared,
  }
}

function shortData(dataset: unknown): unknown {
  const fields = fieldsOf(dataset)
  return Object.keys(fields).length === 1 && "files_url" in fields ? fields["files_url"] : dataset
}

function reasoningOf(model: unknown): object {
  const { reasoning } = fieldsOf(model)
  return reasoning === undefined ? {} : { reasoning }
}

function shortPrompt({ prompt, messages, ...others }: Record<string, unknown>): unknown {
  if (Object.keys(others).length > 0) return { prompt, messages, ...others }
  if (prompt !== undefined) return prompt
  const said = Array.isArray(messages) ? messages.map((message) => fieldsOf(message)) : []
  const roles = said.map(({ role }) => role).join(" ")
  const [first, second] = said.map(({ content }) => content)
  if (roles === "user" && typeof first === "string") return { user: first }
  return roles === "system user" ? { system: first, user: second } : messages
}

/** Returns whether two bodies are the same, whatever the order of their keys. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
    return one.every((value, index) => isSame(value, other[index]))
  }
  if (!isObject(one) || !isObject(other)) return one === other
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...keys].every((key) => isSame(one[key], other[key]))
}
