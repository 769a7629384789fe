import { checkSecretRights } from "@assay/filesets"
import { AssayError, isAssayError, parseSecretRef, secretsOfModels } from "@assay/schemas"
import { filesetLabels, filesUrl, type shapePlan } from "@assay/evaluation"
import { resultScores } from "@assay/results"
import { findGuardrail } from "./find-guardrail.ts"
import { type JobRights, checkSeen } from "../rights/job-rights.ts"
import type { JobHost } from "./job-host.ts"
import { type CheckRun, type FailedCheck, failedCheck, formatLimit, launchRefused } from "./checks/check-run.ts"
import type { LaunchFacts } from "./launch-facts.ts"
import type { LaunchPorts } from "./launch-ports.ts"

/**
 * Checks that the caller of a launch may use everything that the job names in other workspaces. This check is never skipped: a
 * running job has no caller.
 * @throws `not_found` for a workspace or guardrail that the caller may not see, `launch_refused` for several; `secret_not_readable`
 */
export async function checkReferences(
  facts: LaunchFacts,
  rights: JobRights,
  { guardrails }: Pick<JobHost, "guardrails">,
): Promise<void> {
  const { namespace: ownWorkspace } = facts
  const scope = { workspace: ownWorkspace, rights }
  const secrets = facts.secretReferences.map((reference) => parseSecretRef(reference, ownWorkspace))
  const names = facts.guardrails.flatMap(({ guardrail }) => (typeof guardrail === "string" ? [guardrail] : []))
  const workspaces = new Set([...filesetsOf(facts), ...labelFilesetsOf(facts)].map(({ workspace }) => workspace))
  const found = await allFound([
    ...[...workspaces].map(async (workspace) => checkSeen(workspace, scope)),
    ...[...new Set(names)].map((guardrail) => findGuardrail(guardrails, guardrail, scope)),
  ])
  checkSecretRights(secrets, ownWorkspace, rights.edits)
  for (const guardrail of found) {
    // Each reference has its workspace, so the workspace that is passed here does not matter.
    checkSecretRights(secretsOfModels(guardrail?.models ?? [], ownWorkspace), ownWorkspace, rights.edits)
  }
}

/** A fileset of a dataset or of labels, in any workspace. */
type NamedFileset = Pick<ReturnType<typeof filesUrl.parse>, "workspace" | "name">

/** Returns the filesets of the datasets. Malformed addresses are left out. */
function filesetsOf({ datasets, namespace }: LaunchFacts): readonly NamedFileset[] {
  return datasets.flatMap(({ dataset }) => {
    try {
      const { workspace, name } = filesUrl.of(dataset, namespace)
      return [{ workspace, name }]
    } catch (error) {
      if (isAssayError(error, "dataset_format")) return []
      throw error
    }
  })
}

/** Returns the filesets of the labels. Malformed references are left out. */
function labelFilesetsOf({ labels: named, namespace }: LaunchFacts): readonly NamedFileset[] {
  return named.flatMap(({ labels }) => {
    try {
      const { workspace, name } = filesetLabels.parseReference(labels, namespace)
      return [{ workspace, name }]
    } catch (error) {
      if (isAssayError(error)) return []
      throw error
    }
  })
}

/**
 * Waits for lookups of names. Several names that are not found are reported together.
 * @throws the error of the first lookup that fails for another reason, or of the only name that is not found; `launch_refused` with several of them
 */
export async function allFound<const T extends readonly Promise<unknown>[]>(
  lookups: T,
): Promise<{ -readonly [Index in keyof T]: Awaited<T[Index]> }> {
  const outcomes = await Promise.allSettled(lookups)
  const reasons = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason as unknown] : []))
  const other = reasons.find((reason) => !isAssayError(reason, "not_found"))
  if (other !== undefined) throw other
  if (reasons.length > 1) throw launchRefused(reasons.map((reason) => failedCheck("shape", reason)))
  return Promise.all(lookups)
}

/** Checks that the results with which gates compare rows exist, and have the scores of the gates. */
export async function checkBaselines(
  gates: ReturnType<typeof shapePlan>["gates"],
  { openBaseline }: Pick<LaunchPorts, "openBaseline">,
  run: CheckRun,
): Promise<readonly FailedCheck[]> {
  const named = [...Map.groupBy(gates, ({ against }) => against)]
  const checks = named.map(async ([against, own]) => {
    if (against === undefined) return []
    const end = run.begin("baseline", [`'${against}'`])
    const look = async (signal: AbortSignal) => {
      if (openBaseline === undefined) throw new AssayError("invalid_request", `There are no results '${against}' here.`)
      const scores = resultScores.list((await openBaseline(against, signal)).result)
      for (const { metric, score } of own) {
        if (scores.some((one) => one.metric === metric && one.score === score)) continue
        const known = scores
          .map(({ name }) => name)
          .slice(0, MAX_NAMES)
          .join(", ")
        const message = `A gate compares '${metric}.${score}' with '${against}', which has no such score; it has ${known || "none"}.`
        throw new AssayError("invalid_request", message)
      }
    }
    const tooSlow = () =>
      new AssayError("unavailable", `The results '${against}' could not be read within ${formatLimit(run.limitMs)}.`)
    const outcome = await run.run("baseline", look, tooSlow)
    return end({ failed: "failed" in outcome ? [outcome.failed] : [], warnings: [] }).failed
  })
  return (await Promise.all(checks)).flat()
}

const MAX_NAMES = 20

/** Types of configurations whose tasks have metrics with scores of rows. */
const WITH_METRICS: ReadonlySet<string> = new Set(["custom", "similarity_metrics", "agentic", "retriever"])
/** Each file of labels has up to 32 MiB, and all of a job are in memory at its end. */
const MAX_FILES = 8

/** Checks that labels which metrics name exist and can be read. */
export async function checkLabels(
  { config, labels: all }: LaunchFacts,
  { readLabels }: Pick<LaunchPorts, "readLabels">,
  run: CheckRun,
): Promise<readonly FailedCheck[]> {
  const named = [...Map.groupBy(all, ({ labels }) => labels)]
  const checks = named.map(async ([labels, metrics], at) => {
    const locations = metrics.map(({ location }) => location)
    const end = run.begin("labels", locations)
    const look = async (signal: AbortSignal) => {
      if (!WITH_METRICS.has(config.type)) {
        const message = `A configuration of the type '${config.type}' has no scores of metrics that labels correct.`
        throw new AssayError("invalid_request", message)
      }
      if (at >= MAX_FILES) {
        const message = `A job reads labels of at most ${MAX_FILES} filesets; this one names ${named.length}.`
        throw new AssayError("invalid_request", message)
      }
      if (readLabels === undefined) throw new AssayError("invalid_request", `There are no labels '${labels}' here.`)
      await readLabels(labels, signal)
    }
    const tooSlow = () =>
      new AssayError("unavailable", `The labels '${labels}' could not be read within ${formatLimit(run.limitMs)}.`)
    const outcome = await run.run("labels", look, tooSlow)
    const failed = "failed" in outcome ? [withLocations(outcome.failed, locations)] : []
    return end({ failed, warnings: [] }).failed
  })
  return (await Promise.all(checks)).flat()
}

function withLocations(failed: FailedCheck, locations: readonly string[]): FailedCheck {
  return { ...failed, message: `${failed.message.replace(/\.$/, "")} (${locations.join(", ")}).` }
}
