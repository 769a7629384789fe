import { AssayError, findPrice, invalidRequest, misspeltName } from "@assay/schemas"
import { checkHarness } from "@assay/harness"
import { readReasoningSettings, TEXT_FORMAT } from "@assay/scoring"
import { type PlanShape, shapePlan, type TaskShape } from "@assay/evaluation"
import type { LaunchPorts, LaunchSubject } from "../launch-ports.ts"
import { formatLimit, type CheckRun } from "./check-run.ts"
import { findEndpoints } from "./find-endpoints.ts"
import { failedCheck, type FailedCheck } from "./launch-report.ts"

export interface CheckedShape extends PlanShape {
  readonly failed: readonly FailedCheck[]
}

/** A subject whose plan was shaped once, for all checks. */
export interface ShapedSubject extends LaunchSubject {
  readonly shape: CheckedShape
}

/**
 * Checks that target and configuration fit each other, that every metric is known, that every template compiles, and that a
 * harness may run here. Users must be allowed to name the addresses of `remote` metrics. The tasks are those that are well-formed.
 */
export function checkShape(
  subject: LaunchSubject,
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
      ],
    }
  } catch (error) {
    return { failed: [failedCheck("shape", error)], tasks: [], gates: [], issues: [] }
  }
}

/** Checks that a harness, which asks the target itself, need not remove reasoning. @throws `invalid_request` */
function checkHarnessTarget({ target: { model } }: LaunchSubject): void {
  if (readReasoningSettings(model, "target.model") === undefined) return
  const rule = "removes reasoning, and a harness asks the model itself; set it in the `command` of the harness."
  throw invalidRequest(["target", "model"], rule, "value_error")
}

/**
 * Checks that no `format` is a misspelt 'completions', since any other text means chat completions, and that the judges of guardrails are
 * not endpoints for texts.
 */
function checkFormats(subject: LaunchSubject): readonly FailedCheck[] {
  const { type } = subject.config
  const asksGuardrails = type === "content_safety" || type === "calibration"
  return findEndpoints(subject).flatMap(({ endpoint: { format = "" }, places }) => {
    const isText = format === TEXT_FORMAT
    if (isText ? !asksGuardrails : misspeltName(format, [TEXT_FORMAT]) === undefined) return []
    const rule = isText
      ? "and a guardrail asks its model with chats; leave it out."
      : `write '${TEXT_FORMAT}' for texts, or leave it out for chats.`
    const message = `${places.join(", ")}.api_endpoint.format: is '${format}'${isText ? ", " : "; "}${rule}`
    return [failedCheck("shape", new AssayError("invalid_request", message))]
  })
}

/** Checks that the cost of the target can be known, if it is limited: an unknown cost is not 0. */
function checkBudget(
  { target, config }: LaunchSubject,
  { prices }: Pick<LaunchPorts, "prices">,
): readonly FailedCheck[] {
  if (config.params?.budget?.max_cost === undefined) return []
  const model = target.model?.api_endpoint?.model_id
  if (model === undefined || (prices !== undefined && findPrice(prices, model) !== undefined)) return []
  const message = `config.params.budget.max_cost: the price of '${model}' is not known; add it to the file with prices (ASSAY_PRICES_FILE), or limit max_tokens instead.`
  return [failedCheck("shape", new AssayError("invalid_request", message))]
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
  const checks = tasks.flatMap(({ metrics }) => metrics.flatMap(({ check }) => (check === undefined ? [] : [check])))
  const outcomes = await Promise.all(
    checks.map((check) => run.run("shape", (signal) => check(environment, signal), tooSlow)),
  )
  return outcomes.flatMap((outcome) => ("failed" in outcome ? [outcome.failed] : []))
}
