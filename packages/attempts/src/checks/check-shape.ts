import { checkBenchmarkRate } from "../attempt/check-benchmark-rate.ts"
import {
  AssayError,
  misspeltName,
  findPrice,
  invalidRequest,
  EMBEDDINGS_FORMAT,
  TASK_FORMAT,
  TEXT_FORMAT,
} from "@assay/schemas"
import { checkHarness } from "@assay/harness"
import { markedReasoning } from "@assay/scoring"
import { shapePlan, type TaskShape } from "@assay/evaluation"
import { otherResults } from "@assay/results"
import type { LaunchFacts } from "./launch-facts.ts"
import type { LaunchPorts, LaunchSubject } from "./launch-ports.ts"
import { type CheckRun, type FailedCheck, failedCheck, formatLimit } from "./check-run.ts"

export interface CheckedShape extends ReturnType<typeof shapePlan> {
  readonly failed: readonly FailedCheck[]
}

/** A subject whose plan was shaped once, for all checks. */
export interface ShapedSubject extends LaunchFacts {
  readonly shape: CheckedShape
}

/**
 * Checks that target and configuration fit each other, that every metric is known, that every template compiles, and that a
 * harness may run here. Users must be allowed to name the addresses of `remote` metrics. The tasks are those that are well-formed.
 */
export function checkShape(
  subject: LaunchFacts,
  environment: Pick<LaunchPorts, "harnessEnvironment" | "harnessLimits" | "checkEndpoint" | "prices">,
): CheckedShape {
  const { target, config } = subject
  try {
    if (config.type === "benchmark") {
      checkHarness(subject, environment)
      checkHarnessTarget(subject)
    }
    const shape = shapePlan(target, config)
    const failed = shape.issues.map(({ code, message }) => failedCheck("shape", new AssayError(code, message)))
    return {
      ...shape,
      failed: [
        ...failed,
        ...checkFormats(subject),
        ...checkRemotes(subject, environment),
        ...checkBudget(subject, environment),
        ...checkRate(subject),
      ],
    }
  } catch (error) {
    return { failed: [failedCheck("shape", error)], tasks: [], gates: [], issues: [] }
  }
}

/** Checks that a harness, which asks the target itself, need not remove reasoning. @throws `invalid_request` */
function checkHarnessTarget({ target: { model } }: LaunchSubject): void {
  if (markedReasoning.readSettings(model, "target.model") === undefined) return
  const rule = "removes reasoning, and a harness asks the model itself; set it in the `command` of the harness."
  throw invalidRequest(["target", "model"], rule, "value_error")
}

/**
 * Checks that no `format` is a misspelt 'completions', since any other text means chat completions, and that the judges of guardrails are
 * not endpoints for texts.
 */
function checkFormats({ config: { type }, endpoints }: LaunchFacts): readonly FailedCheck[] {
  const asksGuardrails = type === "content_safety" || type === "calibration"
  return endpoints.flatMap(({ endpoint: { format = "" }, locations }) => {
    const isText = format === TEXT_FORMAT
    if (format === EMBEDDINGS_FORMAT) return embeddingsFault(locations)
    if (format === TASK_FORMAT) return taskFault(locations)
    if (isText ? !asksGuardrails : misspeltName(format, FORMATS) === undefined) return []
    const rule = isText
      ? "and a guardrail asks its model with chats; leave it out."
      : `write '${TEXT_FORMAT}' for texts, or leave it out for chats.`
    const message = `${locations.join(", ")}.api_endpoint.format: is '${format}'${isText ? ", " : "; "}${rule}`
    return [failedCheck("shape", new AssayError("invalid_request", message))]
  })
}

const FORMATS = [TEXT_FORMAT, EMBEDDINGS_FORMAT, TASK_FORMAT]

/** Checks that an endpoint for whole tasks is that of an agent. */
function taskFault(locations: readonly string[]): readonly FailedCheck[] {
  const wrong = locations.find((location) => !location.endsWith(".params.agent"))
  if (wrong === undefined) return []
  const message = `${wrong}.api_endpoint.format: is '${TASK_FORMAT}', and only the endpoint of an agent gets whole tasks; leave it out for chats.`
  return [failedCheck("shape", new AssayError("invalid_request", message))]
}

/** Checks that an endpoint for vectors is neither a target nor a judge. */
function embeddingsFault(locations: readonly string[]): readonly FailedCheck[] {
  const wrong = locations.find((location) => !location.endsWith(".embeddings.model"))
  if (wrong === undefined) return []
  const message = `${wrong}.api_endpoint.format: is '${EMBEDDINGS_FORMAT}', and only the model in \`embeddings\` of a metric is asked for vectors; leave it out for chats.`
  return [failedCheck("shape", new AssayError("invalid_request", message))]
}

/** Checks that the cost of the target can be known, if it is limited: an unknown cost is not 0. */
function checkBudget(
  { target, config }: LaunchSubject,
  { prices }: Pick<LaunchPorts, "prices">,
): readonly FailedCheck[] {
  if (config.params?.budget?.max_cost === undefined) return []
  const model = target.model?.api_endpoint?.model_id
  if (model === undefined || (prices !== undefined && findPrice(prices, model) !== undefined)) return []
  const message = `config.params.budget.max_cost: the price of '${model}' is not known; give it in the file as prompt_price and completion_price of the model (params.prices of the long form), add it to the file with prices (ASSAY_PRICES_FILE), or limit max_tokens instead.`
  return [failedCheck("shape", new AssayError("invalid_request", message))]
}

/** Checks that the requests of the job are those of this program, if their rate is limited. */
function checkRate({ config }: LaunchSubject): readonly FailedCheck[] {
  try {
    checkBenchmarkRate(config)
    return []
  } catch (error) {
    return [failedCheck("shape", error)]
  }
}

/** Checks the addresses of `remote` metrics against the rules for hosts, without a request. */
function checkRemotes(
  { config }: LaunchSubject,
  { checkEndpoint }: Pick<LaunchPorts, "checkEndpoint">,
): readonly FailedCheck[] {
  const metrics = Object.values(config.tasks ?? {}).flatMap(({ metrics = {} }) => Object.values(metrics))
  return metrics.flatMap(({ type, params = {} }) => {
    const { url } = params
    if (type !== "remote" || typeof url !== "string") return []
    try {
      checkEndpoint?.(url)
      return []
    } catch (error) {
      return [failedCheck("endpoint", error)]
    }
  })
}

/** Checks parameters of metrics that need more time than reading them, such as schemas. */
export async function checkMetrics(
  tasks: readonly TaskShape[],
  environment: LaunchPorts,
  run: CheckRun,
): Promise<readonly FailedCheck[]> {
  const tooSlow = () =>
    new AssayError("unavailable", `The metrics could not be checked within ${formatLimit(run.limitMs)}; try again.`)
  const withOthers = otherResults.withAnswers(environment)
  const checks = tasks
    .flatMap(({ metrics, check }) => [...metrics.map((metric) => metric.check), check])
    .filter((check) => check !== undefined)
  const outcomes = await Promise.all(
    checks.map((check) => run.run("shape", (signal) => check(withOthers, signal), tooSlow)),
  )
  return outcomes.flatMap((outcome) => ("failed" in outcome ? [outcome.failed] : []))
}
