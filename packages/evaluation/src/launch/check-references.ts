import { checkSecretRights } from "@assay/registry"
import { secretsOfModels } from "@assay/schemas"
import { findGuardrail } from "../service/find-guardrail.ts"
import { checkSeen, type JobHost, type JobRights } from "../service/job-host.ts"
import { findReferences } from "./find-references.ts"
import type { LaunchSubject } from "./launch-ports.ts"

/**
 * Checks that the caller of a launch may use everything that the job names in other workspaces. This check is never skipped: a
 * running job has no caller.
 * @throws `not_found` for a workspace or guardrail that the caller may not see; `secret_not_readable`
 */
export async function checkReferences(
  subject: LaunchSubject,
  rights: JobRights,
  { guardrails }: Pick<JobHost, "guardrails">,
): Promise<void> {
  const { namespace: ownWorkspace } = subject
  const scope = { workspace: ownWorkspace, rights }
  const named = findReferences(subject)
  for (const { workspace } of named.filesets) checkSeen(workspace, scope)
  checkSecretRights(named.secrets, ownWorkspace, rights.edits)
  for (const guardrail of named.guardrails) {
    const { models } = await findGuardrail(guardrails, guardrail, scope)
    // Each reference has its workspace, so the workspace that is passed here does not matter.
    checkSecretRights(secretsOfModels(models ?? [], ownWorkspace), ownWorkspace, rights.edits)
  }
}
