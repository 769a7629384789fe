import { AssayError, type LaunchEstimate, pricesOfJob } from "@assay/schemas"
import { type LaunchFacts, type NamedEndpoint, readLaunchFacts } from "./launch-facts.ts"
import type { LaunchPorts, LaunchSubject } from "./launch-ports.ts"
import { checkBaselines } from "./check-baselines.ts"
import { checkBlanks } from "./check-blanks.ts"
import { checkCopies } from "./check-copies.ts"
import { checkDatasets, checkFields } from "./check-datasets.ts"
import { checkEndpoints, checkGuardrails, checkHosts, measureEndpoints, withLogprobs } from "./check-endpoints.ts"
import { checkJudgeFormat } from "./check-judge-format.ts"
import { checkLabels } from "./check-labels.ts"
import {
  type CheckRun,
  createCheckRun,
  type FailedCheck,
  formatLimit,
  type LaunchReport,
  type OnCheck,
} from "./check-run.ts"
import { checkMetrics, checkShape, type ShapedSubject } from "./check-shape.ts"
import { checkParams } from "./check-params.ts"
import { checkWorkspaceBudget } from "./check-workspace-budget.ts"
import { estimateJob, isLargeRun } from "./estimate-job.ts"

export interface CheckLaunchOptions {
  readonly signal: AbortSignal
  /** Time limit of each check, in milliseconds. Default 10,000. */
  readonly checkMs?: number | undefined
  readonly onCheck?: OnCheck | undefined
  /** Whether endpoints are measured, so that the time can be estimated. Default: only for a large run. */
  readonly measure?: boolean | undefined
  /** Whether only those checks run that ask no model and write nothing. Default false. */
  readonly isPlan?: boolean | undefined
  /** Whether the rows are those of another job, so that their fields are not checked. Default false. */
  readonly hasRows?: boolean | undefined
}

/** The report of all checks, and what the job will ask. */
export interface CheckedLaunch extends LaunchReport {
  readonly estimate: LaunchEstimate
}

const CHECK_MS = 10_000

/**
 * Checks in parallel whether a job can run, and reports everything that prevents it: the shape of target and configuration, the
 * fields that templates read, every dataset and its first rows, every endpoint, and the location of the results. A judge that misses
 * its format on a known example, and an endpoint that is busy, are warnings.
 * @throws only the reason of `signal`
 */
export async function checkLaunch(
  subject: LaunchSubject,
  environment: LaunchPorts,
  options: CheckLaunchOptions,
): Promise<CheckedLaunch> {
  return checkFacts(readLaunchFacts(subject), environment, options)
}

/** Does the same as `checkLaunch`, for a launch whose facts are known. */
export async function checkFacts(
  facts: LaunchFacts,
  environment: LaunchPorts,
  { signal, checkMs = CHECK_MS, onCheck, measure = false, isPlan = false, hasRows = false }: CheckLaunchOptions,
): Promise<CheckedLaunch> {
  const run = createCheckRun(checkMs, signal, onCheck)
  const endShape = run.begin("shape", [])
  // The budget of the workspace does not trust prices of the job.
  const priced = { ...environment, prices: pricesOfJob(facts.config, environment.prices) }
  const shape = checkShape(facts, priced)
  const params = checkParams(facts, shape.tasks)
  const [shaped, data, baselines, labels, endpoints, results, jobs] = await Promise.all([
    checkMetrics(shape.tasks, priced, run).then((metrics) =>
      endShape({ failed: [...shape.failed, ...params.failed, ...metrics], warnings: params.warnings }),
    ),
    checkDatasets(facts.datasets, { workspace: facts.namespace, environment, run, tasks: shape.tasks }),
    checkBaselines(shape.gates, environment, run),
    checkLabels(facts, environment, run),
    checkCalls({ ...facts, shape }, environment, { run, isPlan }),
    isPlan ? [] : checkResults(environment, run),
    // An estimate is worth no failure.
    environment.findEarlierJobs?.().catch(() => []) ?? [],
  ])
  const endFields = run.begin("fields", [])
  const read = hasRows ? [] : shape.tasks
  const inRows = [...checkBlanks(read, data.seen), ...checkCopies(shape.tasks, data.seen)]
  const fields = endFields({ failed: checkFields(read, data.seen), warnings: inRows })
  const failed = [
    ...shaped.failed,
    ...fields.failed,
    ...data.failed,
    ...baselines,
    ...labels,
    ...endpoints.failed,
    ...results,
  ]
  const warnings = [...shaped.warnings, ...fields.warnings, ...endpoints.warnings]
  const rate = facts.config.params?.rate ?? undefined
  const basis = { seen: data.seen, jobs, environment: priced, rate }
  const estimate = estimateJob(shape.tasks, basis)
  const isMeasured = !isPlan && (measure || isLargeRun(estimate))
  if (failed.length > 0 || endpoints.asked.length === 0 || !isMeasured) {
    return { failed, warnings, estimate }
  }
  const speeds = await measureEndpoints(endpoints.asked, environment, signal)
  return { failed, warnings, estimate: estimateJob(shape.tasks, { ...basis, speeds }) }
}

/** The report of the endpoints of a job, and which they are. */
interface CheckedCalls extends LaunchReport {
  readonly asked: readonly NamedEndpoint[]
}

/** Checks endpoints, and then the format of judges. If an endpoint fails or is busy, the format can't be checked. */
async function checkCalls(
  subject: ShapedSubject,
  environment: LaunchPorts,
  { run, isPlan }: { readonly run: CheckRun; readonly isPlan: boolean },
): Promise<CheckedCalls> {
  const guardrails = await checkGuardrails(subject, environment, run)
  const own = subject.endpoints.map((named) => withLogprobs(named, subject.shape.tasks))
  const asked = [...own, ...guardrails.endpoints]
  const [spent, report] = await Promise.all([
    checkWorkspaceBudget(asked, environment, run),
    isPlan ? checkHosts(asked, environment, run) : checkEndpoints(asked, environment, run),
  ])
  const failed = [...guardrails.failed, ...spent, ...report.failed]
  const isReplay = environment.recording?.isReplayOnly === true
  const canAsk = !isPlan && failed.length === 0 && report.warnings.length === 0 && !isReplay
  const warnings = canAsk ? await checkJudgeFormat(subject, environment, run) : report.warnings
  return { failed, warnings, asked }
}

/** Checks that results can be written to their location. */
async function checkResults(
  { probeResults }: Pick<LaunchPorts, "probeResults">,
  run: CheckRun,
): Promise<readonly FailedCheck[]> {
  if (probeResults === undefined) return []
  const end = run.begin("results", [])
  const tooSlow = () => {
    const message = `The storage of the results did not take a file within ${formatLimit(run.limitMs)}; check that it answers.`
    return new AssayError("datastore_unreachable", message)
  }
  const outcome = await run.run("results", probeResults, tooSlow)
  const failed =
    "failed" in outcome
      ? [{ ...outcome.failed, message: `The results can't be written: ${outcome.failed.message}` }]
      : []
  return end({ failed, warnings: [] }).failed
}
