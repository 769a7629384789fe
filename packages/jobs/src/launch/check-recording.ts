import type { CallerRegistry } from "@assay/registry"
import { recordings } from "@assay/evaluation"
import { AssayError, invalidRequest, printable } from "@assay/schemas"
import { STORAGE_CAPABILITIES } from "@assay/storage"
import type { LaunchFacts } from "@assay/attempts"
import { checkSeen, type JobRights } from "../rights/job-rights.ts"

/**
 * Checks that the caller of a launch may use the recording that the job names. This check is never skipped: a running job has no caller.
 * @throws `invalid_request`, `not_found`, `forbidden`
 */
export async function checkRecording(
  { namespace: workspace, config }: Pick<LaunchFacts, "namespace" | "config">,
  rights: JobRights,
  { registry: { filesets } }: { readonly registry: Pick<CallerRegistry, "filesets"> },
): Promise<void> {
  const { recording, executor } = config.params ?? {}
  if (recording === undefined) return
  const { replay_only: isReplayOnly = false, fresh = false } = recording
  if (isReplayOnly && fresh)
    throw refused("replays recorded answers with 'replay_only', and ignores them with 'fresh'.")
  if (executor !== undefined)
    throw refused("is beside 'executor', whose shards do not reach the fileset; leave one out.")
  const unrecorded = recordings.findUnrecorded(config, isReplayOnly)
  if (unrecorded !== undefined)
    throw refused(`names a recording, and the requests of '${unrecorded}' are not recorded.`)
  const { workspace: owner, name } = recordings.locate(recording, workspace)
  checkSeen(owner, { workspace, rights })
  const shown = printable(`${owner}/${name}`)
  const { storage } = await filesets.get(owner, name)
  if (isReplayOnly) return
  if (owner !== workspace && !rights.edits(owner)) {
    const message = `Answers can't be recorded in '${shown}': this needs the role editor there.`
    throw new AssayError("forbidden", message, { context: { workspace: owner } })
  }
  if (STORAGE_CAPABILITIES[storage.type].write) return
  throw refused(`names '${shown}', whose ${storage.type} storage is read-only; only replay it.`)
}

function refused(rule: string): AssayError {
  return invalidRequest(["config", "params", "recording"], rule, "value_error")
}
