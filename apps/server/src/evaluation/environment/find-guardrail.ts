import { AssayError, isAssayError, type GuardrailData } from "@assay/schemas"
import type { GuardrailConfigurations } from "../../guardrails/guardrail-configurations.ts"
import { withSecretsOf } from "../../guardrails/model-secrets.ts"
import type { SourceScope } from "./fileset-source.ts"

/** Where the configurations are that come with the program. */
const BUILT_IN = "system"

/**
 * A guardrail configuration by `workspace/name`, or by a name in the job's workspace or else of a built-in one; its secrets are
 * named with their workspace.
 * @throws `not_found`
 */
export async function findGuardrail(
  configurations: GuardrailConfigurations,
  reference: string,
  { namespace, rights }: SourceScope,
): Promise<GuardrailData> {
  const end = reference.indexOf("/")
  const name = reference.slice(end + 1)
  const home = end < 0 ? namespace : reference.slice(0, end)
  const isSeen = home === namespace || rights.sees(home) || (await configurations.isBuiltIn(home, name))
  if (!isSeen) throw new AssayError("not_found", `Workspace '${home}' not found`, { context: { workspace: home } })
  try {
    return await dataOf(configurations, home, name)
  } catch (error) {
    if (end >= 0 || !isAssayError(error, "not_found") || !(await configurations.isBuiltIn(BUILT_IN, name))) throw error
    return dataOf(configurations, BUILT_IN, name)
  }
}

async function dataOf(configurations: GuardrailConfigurations, home: string, name: string): Promise<GuardrailData> {
  const { data } = await configurations.get(home, name)
  return { ...data, models: withSecretsOf(home, data.models ?? []) }
}
