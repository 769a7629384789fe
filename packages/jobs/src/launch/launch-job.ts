import type { CreateJob, JobGrants, NewJobEvent } from "@assay/registry"
import { programFiles } from "@assay/evaluation"
import type { EvaluationJob, LaunchBody } from "@assay/schemas"
import { keepInlineKeys } from "../documents/keep-inline-keys.ts"
import { resolveBody } from "../documents/document-body.ts"
import type { EvaluationService } from "../service/evaluation-service.ts"
import { createHostEnvironment } from "./host-environment.ts"
import { checkSeen, type JobRights } from "../rights/job-rights.ts"
import type { JobHost } from "./job-host.ts"
import { findResultsFileset } from "../outputs/results-location.ts"
import { allFound, checkReferences } from "./check-references.ts"
import { checkExecutor } from "./check-executor.ts"
import { checkRecording } from "./check-recording.ts"
import {
  type CheckedLaunch,
  checkFacts,
  type CheckLaunchOptions,
  requireBudget,
  launchRefused,
  type FailedCheck,
  type OnCheck,
  type LaunchFacts,
  readLaunchFacts,
} from "@assay/attempts"

/** The host of jobs, and where launches put them. */
export interface LaunchContext extends JobHost {
  /** The folder for checks and live evaluations. */
  readonly workFolder: string
  readonly jobs: Pick<EvaluationService, "launch">
}

export interface LaunchOptions {
  /** The rights of the caller. The caller may launch jobs in the workspace of the body. */
  readonly rights: JobRights
  /** The workspaces whose secrets the job may use when it runs. */
  readonly grants: JobGrants
  readonly skipChecks: boolean
  readonly signal: AbortSignal
}

/**
 * Returns the target and the configuration of a launch, with all that they name. Names are replaced by the stored bodies.
 * @throws `not_found`, `secret_not_readable` for references that the caller may not use; `launch_refused` with all names that are not found, if
 * there are several
 */
export async function resolveSubject(
  { namespace: workspace = "default", target, config }: Pick<LaunchBody, "namespace" | "target" | "config">,
  { rights, signal }: Pick<LaunchOptions, "rights" | "signal">,
  host: Pick<JobHost, "registry" | "guardrails" | "executors" | "checkEndpoint">,
): Promise<LaunchFacts> {
  const { evaluationTargets, evaluationConfigurations } = host.registry
  const scope = { workspace, rights }
  const [foundTarget, foundConfig] = await allFound([
    resolveBody(target, { ...scope, key: "target", documents: evaluationTargets }),
    resolveBody(config, { ...scope, key: "config", documents: evaluationConfigurations }),
  ])
  const own = host.registry.as((one) => one === workspace || rights.edits(one))
  const checked = (one: string) => checkSeen(one, scope)
  const whole = await programFiles.withServed(foundConfig, { own, checkSeen: checked, signal })
  const facts = readLaunchFacts({ namespace: workspace, target: foundTarget, config: whole })
  await checkReferences(facts, rights, host)
  await checkExecutor(facts, host)
  await checkRecording(facts, rights, host)
  return facts
}

/**
 * Launches a job: resolves its bodies, checks whether it can run, stores inline keys as secrets, creates the record, and queues
 * the job.
 * @throws `launch_refused` with every failed check; the errors of `resolveSubject`
 */
export async function launchJob(
  body: LaunchBody,
  options: LaunchOptions,
  context: LaunchContext,
): Promise<EvaluationJob> {
  const facts = await resolveSubject(body, options, context)
  return launchFacts(facts, { ...body, ...options, target: facts.target }, context)
}

/** The records of a launch besides its facts. */
export interface FactsToLaunch
  extends LaunchOptions, Omit<LaunchBody, "namespace" | "target" | "config" | "id">, Pick<CreateJob, "rescored_from"> {
  /** The target on the record of the job. */
  readonly target: LaunchFacts["target"]
}

/** Launches a job whose references are checked: makes the other checks, stores inline keys, creates the record, and queues the job. @throws `launch_refused` */
export async function launchFacts(
  facts: LaunchFacts,
  launch: FactsToLaunch,
  context: LaunchContext,
): Promise<EvaluationJob> {
  const { rights, grants, skipChecks, target } = launch
  const { namespace: workspace, config, endpoints, guardrails } = facts
  const isAsking = launch.rescored_from === undefined || endpoints.length + guardrails.length > 0
  // A launch without checks must not pass a budget that is used up.
  if (skipChecks && isAsking) requireBudget(await context.registry.budgets.get(workspace))
  const checked = skipChecks
    ? undefined
    : await requireLaunchable(facts, launch, { ...launch, hasRows: launch.rescored_from !== undefined }, context)
  const id = context.newId("eval")
  try {
    // After the checks, so that a refused launch leaves no secrets.
    const kept = await keepInlineKeys({ target, config }, { workspace, rights, owner: id, facts }, context)
    const resultsFileset = await findResultsFileset(launch.output_files_url, { workspace, rights }, context.registry)
    const events = checked?.warnings.map(warningEvent) ?? []
    return await context.jobs.launch({
      id,
      namespace: workspace,
      ...kept,
      ...detailsOf(launch),
      resultsFileset,
      grants,
      // The rows of another job are not estimated.
      estimate: launch.rescored_from === undefined ? checked?.estimate : undefined,
      events,
    })
  } catch (error) {
    await context.registry.secrets.removeOwned(id).catch(() => {})
    throw error
  }
}

/** Returns what was checked. @throws `launch_refused` */
async function requireLaunchable(
  ...[facts, body, options, context]: Parameters<typeof checkSubject>
): Promise<CheckedLaunch> {
  const checked = await checkSubject(facts, body, options, context)
  if (checked.failed.length > 0) throw launchRefused(checked.failed)
  return checked
}

export interface CheckJobOptions extends Pick<LaunchOptions, "rights" | "signal"> {
  readonly onCheck?: OnCheck | undefined
  /** Whether only those checks run that ask no model and write nothing. Default false. */
  readonly isPlan?: boolean | undefined
}

/** Runs the checks of a launch, and stores nothing. @throws the errors of `resolveSubject` */
export async function checkJob(
  body: LaunchBody,
  options: CheckJobOptions,
  context: Omit<LaunchContext, "jobs">,
): Promise<CheckedLaunch> {
  const facts = await resolveSubject(body, options, context)
  return checkSubject(facts, body, { ...options, measure: options.isPlan !== true }, context)
}

async function checkSubject(
  facts: LaunchFacts,
  { output_files_url: outputFilesUrl }: Pick<LaunchBody, "output_files_url">,
  { rights, signal, onCheck, isPlan, ...more }: CheckJobOptions & Pick<CheckLaunchOptions, "measure" | "hasRows">,
  context: Omit<LaunchContext, "jobs">,
): Promise<CheckedLaunch> {
  const { workFolder } = context
  const { namespace: workspace } = facts
  const options = { workspace, rights, workFolder, outputFilesUrl, recordingOf: facts.config }
  const environment = await createHostEnvironment(context, options)
  return checkFacts(facts, environment, { signal, onCheck, isPlan, ...more })
}

/** Returns the event that puts a warning at the beginning of the job's log. */
function warningEvent({ check, message, remedy }: FailedCheck): NewJobEvent {
  return { kind: "log", data: { level: "warn", message: `Launch check ${check}: ${message} ${remedy}` } }
}

function detailsOf(body: Omit<FactsToLaunch, keyof LaunchOptions | "target">): Partial<CreateJob> {
  const { description, project, custom_fields, output_files_url, ownership, rescored_from } = body
  return {
    ...(description === undefined ? {} : { description }),
    ...(project === undefined ? {} : { project }),
    ...(custom_fields === undefined ? {} : { custom_fields }),
    ...(output_files_url === undefined ? {} : { output_files_url }),
    ...(rescored_from === undefined ? {} : { rescored_from }),
    ...(typeof ownership === "object" && ownership !== null ? { ownership: { ...ownership } } : {}),
  }
}
