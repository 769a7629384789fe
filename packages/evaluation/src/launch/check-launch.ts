import { AssayError } from "@assay/schemas"
import { checkDatasets } from "./check-datasets.ts"
import { checkEndpoints } from "./check-endpoints.ts"
import { checkFields } from "./check-fields.ts"
import { checkJudgeFormat } from "./check-judge-format.ts"
import { checkMetrics } from "./check-metrics.ts"
import { checkParams } from "./check-params.ts"
import { checkResults } from "./check-results.ts"
import { createCheckRun, type CheckRun } from "./check-run.ts"
import { checkShape } from "./check-shape.ts"
import { findDatasets } from "./find-datasets.ts"
import { findEndpoints } from "./find-endpoints.ts"
import { findGuardrailEndpoints } from "./find-guardrail-endpoints.ts"
import type { LaunchReport } from "./launch-report.ts"
import type { LaunchSubject } from "./launch-subject.ts"
import type { LaunchPorts } from "./launch-ports.ts"

export interface CheckLaunchOptions {
  readonly signal: AbortSignal
  /** Time limit of each check, in milliseconds. Default 10,000. */
  readonly checkMs?: number
}

const CHECK_MS = 10_000

/**
 * Checks side by side whether a job can run, and tells all that stands in its way: the shape of target and configuration, the fields
 * that templates read, every dataset and its first rows, every endpoint, and the place of the results. Judges that miss their format on
 * a known example, and endpoints that are busy, are warnings.
 * @throws the reason of `signal` alone
 */
export async function checkLaunch(
  subject: LaunchSubject,
  environment: LaunchPorts,
  { signal, checkMs = CHECK_MS }: CheckLaunchOptions,
): Promise<LaunchReport> {
  const { target, config, namespace } = subject
  const run = createCheckRun(checkMs, signal)
  const shape = checkShape(subject, environment)
  const params = checkParams(subject, shape.tasks)
  const [metrics, data, endpoints, results] = await Promise.all([
    checkMetrics(shape.tasks, environment, run),
    checkDatasets(findDatasets(target, config), { namespace, environment, run }),
    checkAsked(subject, environment, run),
    checkResults(environment, run),
  ])
  const failed = [
    ...shape.failed,
    ...params.failed,
    ...metrics,
    ...checkFields(shape.tasks, data.seen),
    ...data.failed,
    ...endpoints.failed,
    ...results,
  ]
  return { failed, warnings: [...params.warnings, ...endpoints.warnings] }
}

/** Endpoints, and then what judges say: of one that does not answer, or not now, that can't be known. */
async function checkAsked(subject: LaunchSubject, environment: LaunchPorts, run: CheckRun): Promise<LaunchReport> {
  const found = await run.run("shape", () => findGuardrailEndpoints(subject, environment), guardrailTooSlow)
  const guardrails = "failed" in found ? { failed: [found.failed], endpoints: [] } : found.value
  const endpoints = [...findEndpoints(subject.target, subject.config), ...guardrails.endpoints]
  const report = await checkEndpoints(endpoints, environment, run)
  const failed = [...guardrails.failed, ...report.failed]
  const isAnswered = failed.length === 0 && report.warnings.length === 0
  return { failed, warnings: isAnswered ? await checkJudgeFormat(subject, environment, run) : report.warnings }
}

function guardrailTooSlow(): AssayError {
  return new AssayError("unavailable", "The guardrail configuration could not be read in time; try again.")
}
