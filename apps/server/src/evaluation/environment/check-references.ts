import { checkSecretRights } from "@assay/registry"
import type { LaunchSubject } from "@assay/evaluation"
import { AssayError } from "@assay/schemas"
import type { GuardrailConfigurations } from "../../guardrails/guardrail-configurations.ts"
import { secretsOfModels } from "../../guardrails/model-secrets.ts"
import { findGuardrail } from "./find-guardrail.ts"
import type { EnvironmentRights } from "./environment-rights.ts"
import { loadEvaluation } from "../load-evaluation.ts"

/**
 * That whoever launches a job, or adds metrics to one, may reach what it names in other workspaces. Never skipped: what runs
 * later has nobody who could be asked.
 * @throws `not_found` for a workspace or guardrail that may not be seen, `secret_not_readable`
 */
export async function checkReferences(
  subject: LaunchSubject,
  { rights, configurations }: { readonly rights: EnvironmentRights; readonly configurations: GuardrailConfigurations },
): Promise<void> {
  const { namespace } = subject
  const { findReferences } = await loadEvaluation()
  const { filesets, secrets, guardrails } = findReferences(subject)
  for (const { workspace } of filesets) {
    if (workspace === namespace || rights.sees(workspace)) continue
    throw new AssayError("not_found", `Workspace '${workspace}' not found`, { context: { workspace } })
  }
  checkSecretRights(secrets, namespace, rights.edits)
  for (const guardrail of guardrails) {
    const { models } = await findGuardrail(configurations, guardrail, { namespace, rights })
    // Each names its workspace, so it does not matter here where it is read.
    checkSecretRights(secretsOfModels(models ?? [], namespace), namespace, rights.edits)
  }
}
