import { AssayError } from "@assay/schemas"
import { findDatasets } from "../find-references.ts"
import type { LaunchPorts, LaunchSubject } from "../launch-ports.ts"
import { checkDatasets } from "./check-datasets.ts"
import { checkEndpoints } from "./check-endpoints.ts"
import { checkFields } from "./check-fields.ts"
import { checkJudgeFormat } from "./check-judge-format.ts"
import { checkParams } from "./check-params.ts"
import { createCheckRun, formatLimit, type CheckRun } from "./check-run.ts"
import { checkMetrics, checkShape, type ShapedSubject } from "./check-shape.ts"
import { findEndpoints, findGuardrailEndpoints } from "./find-endpoints.ts"
import type { FailedCheck, LaunchReport } from "./launch-report.ts"

export interface CheckLaunchOptions {
  readonly signal: AbortSignal
  /** Time limit of each check, in milliseconds. Default 10,000. */
  readonly checkMs?: number | undefined
}

const CHECK_MS = 10_000

/**
 * Checks in parallel whether a job can run, and reports everything that prevents it: the shape of target and configuration, the
 * fields that templates read, every dataset and its first rows, every endpoint, and the place of the results. A judge that misses
 * its format on a known example, and an endpoint that is busy, are warnings.
 * @throws only the reason of `signal`
 */
export async function checkLaunch(
  subject: LaunchSubject,
  environment: LaunchPorts,
  { signal, checkMs = CHECK_MS }: CheckLaunchOptions,
): Promise<LaunchReport> {
  const run = createCheckRun(checkMs, signal)
  const shape = checkShape(subject, environment)
  const params = checkParams(subject, shape.tasks)
  const [metrics, data, endpoints, results] = await Promise.all([
    checkMetrics(shape.tasks, environment, run),
    checkDatasets(findDatasets(subject), { workspace: subject.namespace, environment, run }),
    checkCalls({ ...subject, shape }, environment, run),
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

/** Checks endpoints, and then the format of judges. If an endpoint fails or is busy, the format can't be checked. */
async function checkCalls(subject: ShapedSubject, environment: LaunchPorts, run: CheckRun): Promise<LaunchReport> {
  const found = await run.run("shape", () => findGuardrailEndpoints(subject, environment), guardrailTooSlow)
  const guardrails = "failed" in found ? { failed: [found.failed], endpoints: [] } : found.value
  const report = await checkEndpoints([...findEndpoints(subject), ...guardrails.endpoints], environment, run)
  const failed = [...guardrails.failed, ...report.failed]
  const canAsk = failed.length === 0 && report.warnings.length === 0
  return { failed, warnings: canAsk ? await checkJudgeFormat(subject, environment, run) : report.warnings }
}

function guardrailTooSlow(): AssayError {
  return new AssayError("unavailable", "The guardrail configuration could not be read in time; try again.")
}

/** Checks that results can be written to their place. */
async function checkResults(
  { probeResults }: Pick<LaunchPorts, "probeResults">,
  run: CheckRun,
): Promise<readonly FailedCheck[]> {
  if (probeResults === undefined) return []
  const tooSlow = () => {
    const message = `The storage of the results did not take a file within ${formatLimit(run.limitMs)}; check that it answers.`
    return new AssayError("datastore_unreachable", message)
  }
  const outcome = await run.run("results", probeResults, tooSlow)
  if (!("failed" in outcome)) return []
  return [{ ...outcome.failed, message: `The results can't be written: ${outcome.failed.message}` }]
}
