import {
  type ApiEndpoint,
  type Condition,
  type ConditionCode,
  type EvaluationJob,
  type JobExplanation,
  findFields,
  isFinalJobStatus,
} from "@assay/schemas"
import type { GateOutcome } from "../scores/check-gates.ts"
import { explainGates } from "./explain-gates.ts"

/** The fields of a job that explain it. */
export type ExplainableJob = Pick<
  EvaluationJob,
  "id" | "namespace" | "status" | "status_details" | "conditions" | "target" | "config"
> & {
  /** Default: those of `status_details`. */
  readonly gates?: readonly GateOutcome[]
}

/** Matches commands that work only with jobs of a server. */
const SERVED = /^assay eval (download|watch|launch)\b/

/**
 * Explains a job: what happened, the gates that did not pass, the conditions with evidence and remedy, and the commands to run next.
 * @param folder the folder of a run on this machine, as commands name it; undefined for a job of a server
 */
export function explainJob(job: ExplainableJob, folder?: string): JobExplanation {
  const { status, conditions } = job
  const steps =
    folder === undefined
      ? nextSteps(job, STEPS)
      : nextSteps({ ...job, id: folder }, { ...STEPS, ...LOCAL_STEPS }).filter((command) => !SERVED.test(command))
  return { status, summary: summaryOf(job), conditions, next: [...steps] }
}

function summaryOf({ status, status_details, conditions, gates = status_details.gates ?? [] }: ExplainableJob): string {
  const message = status_details.message.trim()
  const details = message === "" ? "" : ` ${/[.!?]$/.test(message) ? message : `${message}.`}`
  // Every known gate is named, so that nothing sounds as if all was well beside a failed one.
  const explained = isFinalJobStatus(status) ? explainGates(gates).map((sentence) => ` ${sentence}`) : []
  return `${beginning(status)}${details}${explained.join("")} ${conditionsIn(conditions, status)}`.trim()
}

function beginning(status: ExplainableJob["status"]): string {
  switch (status) {
    case "CREATED":
    case "PENDING":
      return "The job waits for a runner."
    case "RUNNING":
      return "The job is running."
    case "CANCELLING":
      return "The job is stopping; rows with an answer are kept."
    case "CANCELLED":
      return "The job was cancelled; rows with an answer are kept."
    case "COMPLETED":
      return "The job has finished."
    case "FAILED":
      return "The job has failed."
    case "UNAVAILABLE":
      return "The runner of the job has stopped reporting, and another runner continues the job."
    default:
      status satisfies never
      return ""
  }
}

function conditionsIn(conditions: readonly Condition[], status: ExplainableJob["status"]): string {
  const [first, ...others] = conditions
  if (first === undefined) {
    if (status === "FAILED") return "No known condition was found: read its log."
    return isFinalJobStatus(status) ? "No known condition was found. Its scores are in the results." : ""
  }
  const titles = [first, ...others].map(({ title }) => title).join("; ")
  return others.length === 0
    ? `One condition was found: ${titles}.`
    : `${others.length + 1} conditions were found: ${titles}.`
}

/** Commands that investigate or fix a condition. */
type Steps = Readonly<Partial<Record<ConditionCode, (job: ExplainableJob) => readonly string[]>>>

const DOCTOR = () => ["assay doctor"]
const STEPS: Steps = {
  inference_unauthorized: setKeys,
  quota_exhausted: setKeys,
  gated_dataset: (job) => [`assay secret set ${job.namespace}/<name of token_secret>`],
  gated_repository: (job) => [`assay secret set ${job.namespace}/<name of token_secret>`],
  storage_auth: (job) => [`assay secret set ${job.namespace}/<name of the storage's secret>`],
  storage_not_found: DOCTOR,
  storage_region: DOCTOR,
  storage_clock: () => ["date -u"],
  datastore_unreachable: DOCTOR,
  inference_unreachable: listModels,
  inference_tls: showCertificate,
  model_not_found: listModels,
  dataset_missing: (job) => datasets(job).map((dataset) => `assay ls ${dataset}`),
  rows_invalid: (job) => datasets(job).map((dataset) => `assay dataset validate ${dataset}`),
  disk_full: () => ["df -h"],
  answers_filtered: (job) => [`assay eval download ${job.id} --out ./${job.id}`],
  empty_answers: (job) => [`assay eval download ${job.id} --out ./${job.id}`],
}

/** Returns the commands of a step for a run that uses filesets of a server. A run of local files uses none of its secrets. */
const ofFilesets = (step: Steps[ConditionCode]) => (job: ExplainableJob) =>
  datasets(job).length === 0 ? [] : (step?.(job) ?? [])

/** Steps of a run on this machine, where keys of models are in variables and not in secrets of a server. */
const LOCAL_STEPS: Steps = {
  inference_unauthorized: setVariables,
  quota_exhausted: setVariables,
  gated_dataset: ofFilesets(STEPS.gated_dataset),
  gated_repository: ofFilesets(STEPS.gated_repository),
  storage_auth: ofFilesets(STEPS.storage_auth),
}

/** Conditions that another attempt can't change: the job must be launched again with another configuration. */
const NEEDS_CHANGE: ReadonlySet<ConditionCode> = new Set([
  "model_not_found",
  "context_overflow",
  "output_truncated",
  "answers_filtered",
  "empty_answers",
  "nothing_scored",
  "parameter_unsupported",
  "template_error",
  "dataset_format",
  "rows_invalid",
  "answer_unusable",
  "judge_output_unreadable",
  "judge_budget_exhausted",
  "judge_refused",
  "judge_overblocks",
  "judge_underblocks",
  "hub_disabled",
])

/** Lists the commands to run next: first those that fix the conditions, then those that continue the job. */
function nextSteps(job: ExplainableJob, steps: Steps): readonly string[] {
  const first = job.conditions.flatMap(({ code }) => steps[code]?.(job) ?? [])
  return [...new Set([...first, ...afterwards(job)])]
}

/** Returns a command that evaluates failed rows again, too: after `resume`, many failed rows would fail the job again at once. */
function continuing(job: ExplainableJob): string {
  return hasFailedRows(job) ? `assay eval retry-failed ${job.id}` : `assay eval resume ${job.id}`
}

function afterwards(job: ExplainableJob): readonly string[] {
  const { id, status, conditions } = job
  switch (status) {
    case "CREATED":
    case "PENDING":
    case "RUNNING":
    case "CANCELLING":
    case "UNAVAILABLE":
      return [`assay eval watch ${id}`]
    case "CANCELLED":
      return [`assay eval resume ${id}`, `assay eval results ${id}`, `assay eval download ${id}`]
    case "FAILED":
      return [
        ...(conditions.length === 0 ? [`assay eval logs ${id}`] : []),
        mustChange(conditions) ? "assay eval launch FILE" : continuing(job),
        `assay eval download ${id}`,
      ]
    case "COMPLETED": {
      const again = conditions.some(({ code }) => !NEEDS_CHANGE.has(code)) && hasFailedRows(job)
      return [
        `assay eval results ${id}`,
        ...(again ? [`assay eval retry-failed ${id}`] : []),
        `assay eval download ${id}`,
      ]
    }
    default:
      status satisfies never
      return []
  }
}

/** Returns whether rows of a job failed. A job that failed before its rows has none, and a harness has rows of its own. */
function hasFailedRows({ config, status_details: { samples_failed = 0 } }: ExplainableJob): boolean {
  return config.type !== "benchmark" && samples_failed > 0
}

function mustChange(conditions: readonly Condition[]): boolean {
  return conditions.length > 0 && conditions.every(({ code }) => NEEDS_CHANGE.has(code))
}

function setKeys(job: ExplainableJob): readonly string[] {
  const { namespace } = job
  const references = endpointsOf(job).flatMap(({ api_key_secret }) => api_key_secret ?? [])
  const names = references.map((reference) => (reference.includes("/") ? reference : `${namespace}/${reference}`))
  return names.length === 0
    ? [`assay secret set ${namespace}/<name of api_key_secret>`]
    : names.map((name) => `assay secret set ${name}`)
}

/** The variable of endpoints that name none, on this machine. */
const KEY_VARIABLE = "ASSAY_INFERENCE_API_KEY"

function setVariables(job: ExplainableJob): readonly string[] {
  return endpointsOf(job).map(({ url, api_key_env: variable = KEY_VARIABLE }) => {
    const host = URL.parse(url)?.host ?? "the endpoint"
    return `export ${variable}=${quoted(`<key of ${host}>`)}`
  })
}

function listModels(job: ExplainableJob): readonly string[] {
  return endpointsOf(job).map(({ url }) => `curl -sS ${quoted(`${baseOf(url)}/models`)}`)
}

function showCertificate(job: ExplainableJob): readonly string[] {
  return endpointsOf(job)
    .map(({ url }) => URL.parse(url))
    .filter((url) => url?.protocol === "https:")
    .map((url) => `openssl s_client -showcerts -connect ${quoted(`${url?.hostname}:${url?.port || "443"}`)} </dev/null`)
}

function endpointsOf({ target, config }: ExplainableJob): readonly ApiEndpoint[] {
  return findFields({ target, config }, "endpoint").flatMap(({ value }) => (isEndpoint(value) ? [value] : []))
}

function isEndpoint(value: unknown): value is ApiEndpoint {
  return typeof value === "object" && value !== null && "url" in value && typeof value.url === "string"
}

function baseOf(url: string): string {
  const parsed = URL.parse(url)
  if (parsed === null) return url
  return `${parsed.origin}${parsed.pathname}`.replace(/\/+$/, "").replace(/\/chat\/completions$/, "")
}

/** Quotes an address for a shell, since it comes from a user. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "%27")}'`
}

/** Returns `workspace/name` of each fileset whose address has a scheme. */
function datasets({ target, config }: ExplainableJob): readonly string[] {
  const names = findFields({ target, config }, "dataset").flatMap(({ value }) =>
    typeof value === "string" ? (/^\w+:\/\/datasets\/([\w.@:+-]+\/[\w.@:+-]+)/.exec(value)?.[1] ?? []) : [],
  )
  return [...new Set(names)]
}
