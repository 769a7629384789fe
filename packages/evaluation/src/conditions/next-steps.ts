import type { ApiEndpoint, Condition, ConditionCode } from "@assay/schemas"
import type { ExplainableJob } from "./explain-job.ts"

/** Commands that look closer or put right what a condition tells of. */
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
  empty_answers: (job) => [`assay eval download ${job.id} --folder ./${job.id}`],
}

/** Conditions that asking the same again can't change: the job has to be launched anew with another configuration. */
const NEEDS_CHANGE: ReadonlySet<ConditionCode> = new Set([
  "model_not_found",
  "context_overflow",
  "output_truncated",
  "empty_answers",
  "nothing_scored",
  "parameter_unsupported",
  "template_error",
  "dataset_format",
  "rows_invalid",
  "judge_output_unreadable",
  "judge_budget_exhausted",
  "judge_refused",
  "judge_overblocks",
  "judge_underblocks",
  "hub_disabled",
])

/** What to run next: first what puts the conditions right, then what goes on with the job. */
export function nextSteps(job: ExplainableJob): readonly string[] {
  const first = job.conditions.flatMap(({ code }) => STEPS[code]?.(job) ?? [])
  return [...new Set([...first, ...goingOn(job)])]
}

/** To resume asks no failed row again, and too many of them would fail the job again at once. */
function goOn(job: ExplainableJob): string {
  return hasFailedRows(job) ? `assay eval retry-failed ${job.id}` : `assay eval resume ${job.id}`
}

function goingOn(job: ExplainableJob): readonly string[] {
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
        mustChange(conditions) ? "assay eval launch FILE" : goOn(job),
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

/** Whether there can be any: a job that never got to its rows has none, and a harness keeps its own. */
function hasFailedRows({ config, status_details: { samples_failed = 0 } }: ExplainableJob): boolean {
  return config.type !== "benchmark" && samples_failed > 0
}

function mustChange(conditions: readonly Condition[]): boolean {
  return conditions.length > 0 && conditions.every(({ code }) => NEEDS_CHANGE.has(code))
}

function setKeys({ target, config, namespace }: ExplainableJob): readonly string[] {
  const references = endpointsIn([target, config]).flatMap(({ api_key_secret }) => api_key_secret ?? [])
  const names = references.map((reference) => (reference.includes("/") ? reference : `${namespace}/${reference}`))
  return names.length === 0
    ? [`assay secret set ${namespace}/<name of api_key_secret>`]
    : names.map((name) => `assay secret set ${name}`)
}

function listModels({ target, config }: ExplainableJob): readonly string[] {
  return endpointsIn([target, config]).map(({ url }) => `curl -sS ${quoted(`${baseOf(url)}/models`)}`)
}

function showCertificate({ target, config }: ExplainableJob): readonly string[] {
  return endpointsIn([target, config])
    .map(({ url }) => URL.parse(url))
    .filter((url) => url?.protocol === "https:")
    .map((url) => `openssl s_client -showcerts -connect ${quoted(`${url?.hostname}:${url?.port || "443"}`)} </dev/null`)
}

/** Every endpoint in a target or a configuration, wherever it stands. */
function endpointsIn(value: unknown, depth = 0): readonly ApiEndpoint[] {
  if (typeof value !== "object" || value === null || depth > 12) return []
  const parts = Object.entries(value)
  const own = parts.flatMap(([key, part]) => (key === "api_endpoint" && isEndpoint(part) ? [part] : []))
  return [...own, ...parts.flatMap(([, part]) => endpointsIn(part, depth + 1))]
}

function isEndpoint(value: unknown): value is ApiEndpoint {
  return typeof value === "object" && value !== null && "url" in value && typeof value.url === "string"
}

function baseOf(url: string): string {
  const parsed = URL.parse(url)
  if (parsed === null) return url
  return `${parsed.origin}${parsed.pathname}`.replace(/\/+$/, "").replace(/\/chat\/completions$/, "")
}

/** For a shell: an address comes from a user. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "%27")}'`
}

function datasets({ target, config }: ExplainableJob): readonly string[] {
  return [
    ...new Set(
      filesUrlsIn([target, config]).flatMap(
        (url) => /^\w+:\/\/datasets\/([\w.@:+-]+\/[\w.@:+-]+)/.exec(url)?.[1] ?? [],
      ),
    ),
  ]
}

function filesUrlsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value !== "object" || value === null || depth > 12) return []
  return Object.entries(value).flatMap(([key, part]) =>
    key === "files_url" && typeof part === "string" ? [part] : filesUrlsIn(part, depth + 1),
  )
}
