import { checkSecretRights } from "@assay/registry"
import { isAssayError, parseSecretRef, secretsOfModels } from "@assay/schemas"
import { filesetLabels, filesUrl } from "@assay/evaluation"
import { findGuardrail } from "./find-guardrail.ts"
import { type JobRights, checkSeen } from "../rights/job-rights.ts"
import type { JobHost } from "./job-host.ts"
import { failedCheck, launchRefused, type LaunchFacts } from "@assay/attempts"

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
