import { isAssayError } from "@assay/schemas/errors"
import type { JobEnvironment } from "@assay/evaluation"
import type { ScoreGate } from "@assay/results"
import type { LaunchSubject } from "@assay/attempts"
import type { ShardPlan } from "@assay/executors"

export interface SameJobOptions {
  readonly job: LaunchSubject
  readonly gates: readonly ScoreGate[]
  /** The recording that shards would have. Default: whatever the run has. */
  readonly recording?: ShardPlan["recording"]
  readonly environment: Pick<JobEnvironment, "openDataset">
  readonly signal: AbortSignal
}

/**
 * Returns whether a run was cut from this job: the same target, configuration and gates, and row files of this machine that contain what was copied
 * into the run.
 */
export async function isSameJob(plan: ShardPlan, options: SameJobOptions): Promise<boolean> {
  const { job, gates, environment, signal } = options
  const { namespace, target, config } = job
  if ("recording" in options && !hasRecording(plan, options.recording)) return false
  if (keptText({ ...plan.job, gates: plan.gates }) !== keptText({ namespace, target, config, gates })) return false
  for (const { written, pin } of plan.datasets) {
    const now = await environment.openDataset(written, { signal }).catch((error: unknown) => {
      if (isAssayError(error)) return undefined
      throw error
    })
    if (now === undefined || keptText(now.pin.files.map(digestOf)) !== keptText(pin.files.map(digestOf))) return false
  }
  return true
}

/** Returns whether a run records into this folder, and sends nothing if that is wanted. */
function hasRecording({ recording }: ShardPlan, wanted: ShardPlan["recording"]): boolean {
  return recording?.folder === wanted?.folder && recording?.is_replay_only === wanted?.is_replay_only
}

function digestOf({ sha256 }: { readonly sha256: string | null }): string | null {
  return sha256
}

/** Returns the text of a value as it is after a file has kept it. */
function keptText(value: unknown): string {
  return JSON.stringify(JSON.parse(JSON.stringify(value)))
}
