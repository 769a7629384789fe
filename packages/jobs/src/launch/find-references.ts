import { checkSecretRights } from "@assay/registry"
import {
  type EvaluationConfigBody,
  type SecretAddress,
  isAssayError,
  secretsNamedIn,
  secretsOfModels,
} from "@assay/schemas"
import { type FilesUrl, filesUrlOf, parseLabelReference } from "@assay/evaluation"
import { allFound } from "./all-found.ts"
import { findGuardrail } from "../service/find-guardrail.ts"
import { labelledMetrics } from "@assay/results"
import { type JobRights, checkSeen } from "../jobs/job-rights.ts"
import type { JobHost } from "../service/job-host.ts"
import type { LaunchSubject } from "./launch-ports.ts"

/** The records of a registry that a job names, in any workspace. */
export interface JobReferences {
  /** Filesets of its datasets and of its labels. Malformed addresses are left out. */
  readonly filesets: readonly Pick<FilesUrl, "workspace" | "name">[]
  readonly secrets: readonly SecretAddress[]
  /** Guardrail configurations of `content_safety` and `calibration`: `name` or `workspace/name`. */
  readonly guardrails: readonly string[]
}

/** Finds the filesets, secrets and guardrail configurations that a target and a configuration name. */
export function findReferences(subject: LaunchSubject): JobReferences {
  const { target, config, namespace } = subject
  const secrets = secretsNamedIn({ target, config }, namespace)
  const guardrails = findGuardrails(config).flatMap(({ guardrail }) =>
    typeof guardrail === "string" ? [guardrail] : [],
  )
  return { filesets: [...filesetsOf(subject), ...labelsOf(subject)], secrets, guardrails }
}

function filesetsOf(subject: LaunchSubject): JobReferences["filesets"] {
  return findDatasets(subject).flatMap(({ dataset }) => {
    try {
      const { workspace, name } = filesUrlOf(dataset, subject.namespace)
      return [{ workspace, name }]
    } catch (error) {
      if (isAssayError(error, "dataset_format")) return []
      throw error
    }
  })
}

function labelsOf({ config, namespace }: LaunchSubject): JobReferences["filesets"] {
  return labelledMetrics(config).flatMap(({ labels }) => {
    try {
      const { workspace, name } = parseLabelReference(labels, namespace)
      return [{ workspace, name }]
    } catch (error) {
      if (isAssayError(error)) return []
      throw error
    }
  })
}

/** A dataset that a job reads, and the place that names it. */
export interface NamedDataset {
  readonly dataset: unknown
  /** `target.cached_outputs`, `config.tasks.qa.dataset`, …; at least one. */
  readonly places: readonly string[]
}

/** Finds every dataset that a job reads, each once. The check of the shape reports missing ones. */
export function findDatasets({ target, config }: Pick<LaunchSubject, "target" | "config">): readonly NamedDataset[] {
  const named: (readonly [unknown, string])[] = [
    [target.type === "cached_outputs" ? target.cached_outputs : undefined, "target.cached_outputs"],
    [target.type === "dataset" ? target.dataset : undefined, "target.dataset"],
    ...Object.entries(config.tasks ?? {}).map(
      ([name, { dataset }]) => [dataset, `config.tasks.${name}.dataset`] as const,
    ),
  ]
  const found = new Map<string, { dataset: unknown; places: string[] }>()
  for (const [dataset, place] of named) {
    if (dataset === undefined) continue
    const key = JSON.stringify(dataset)
    const known = found.get(key)
    if (known === undefined) found.set(key, { dataset, places: [place] })
    else known.places.push(place)
  }
  return [...found.values()]
}

/** A guardrail that a configuration names, or contains as an object. */
export interface NamedGuardrail {
  readonly guardrail: unknown
  /** `config.tasks.safety.params.guardrail`, … */
  readonly place: string
}

/** Finds the guardrails of a `content_safety` or `calibration` configuration: the one for all tasks, and those of single tasks. */
export function findGuardrails({ type, params, tasks = {} }: EvaluationConfigBody): readonly NamedGuardrail[] {
  if (type !== "content_safety" && type !== "calibration") return []
  const places: readonly (readonly [string, object | undefined])[] = [
    ["config", params],
    ...Object.entries(tasks).map(([name, task]) => [`config.tasks.${name}`, task.params] as const),
  ]
  return places.flatMap(([place, params]) =>
    params !== undefined && "guardrail" in params
      ? [{ guardrail: params.guardrail, place: `${place}.params.guardrail` }]
      : [],
  )
}

/**
 * Checks that the caller of a launch may use everything that the job names in other workspaces. This check is never skipped: a
 * running job has no caller.
 * @throws `not_found` for a workspace or guardrail that the caller may not see, `launch_refused` for several; `secret_not_readable`
 */
export async function checkReferences(
  subject: LaunchSubject,
  rights: JobRights,
  { guardrails }: Pick<JobHost, "guardrails">,
): Promise<void> {
  const { namespace: ownWorkspace } = subject
  const scope = { workspace: ownWorkspace, rights }
  const named = findReferences(subject)
  const workspaces = new Set(named.filesets.map(({ workspace }) => workspace))
  const found = await allFound([
    ...[...workspaces].map(async (workspace) => checkSeen(workspace, scope)),
    ...[...new Set(named.guardrails)].map((guardrail) => findGuardrail(guardrails, guardrail, scope)),
  ])
  checkSecretRights(named.secrets, ownWorkspace, rights.edits)
  for (const guardrail of found) {
    // Each reference has its workspace, so the workspace that is passed here does not matter.
    checkSecretRights(secretsOfModels(guardrail?.models ?? [], ownWorkspace), ownWorkspace, rights.edits)
  }
}
