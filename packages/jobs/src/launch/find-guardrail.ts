import { isAssayError, withSecretsOfModels, type GuardrailData } from "@assay/schemas"
import { checkSeen, type JobScopeRights } from "../rights/job-rights.ts"
import type { GuardrailSource } from "./job-host.ts"

/** The workspace of the configurations that come with the program. */
const BUILT_IN = "system"

/**
 * Returns the guardrail configuration `workspace/name`. A name without a workspace is looked up in the workspace of the job, and then among the
 * built-in configurations. References to secrets have their workspace.
 * @throws `not_found`
 */
export async function findGuardrail(
  guardrails: GuardrailSource,
  reference: string,
  scope: JobScopeRights,
): Promise<GuardrailData> {
  const end = reference.indexOf("/")
  const name = reference.slice(end + 1)
  const workspace = end < 0 ? scope.workspace : reference.slice(0, end)
  if (!(await guardrails.isBuiltIn(workspace, name))) checkSeen(workspace, scope)
  try {
    return await dataOf(guardrails, workspace, name)
  } catch (error) {
    if (end >= 0 || !isAssayError(error, "not_found") || !(await guardrails.isBuiltIn(BUILT_IN, name))) throw error
    return dataOf(guardrails, BUILT_IN, name)
  }
}

async function dataOf(guardrails: GuardrailSource, workspace: string, name: string): Promise<GuardrailData> {
  const { data } = await guardrails.get(workspace, name)
  return { ...data, models: withSecretsOfModels(data.models ?? [], workspace) }
}
