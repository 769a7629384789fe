import { createHash } from "node:crypto"
import {
  invalidRequest,
  secretsOfModels,
  withSecretsOfModels,
  type GuardrailChoice,
  type GuardrailConfiguration,
  type GuardrailData,
  type GuardrailModel,
  type SecretAddress,
} from "@assay/schemas"
import { configurationIdOf } from "../requests/request-options.ts"
import type { GuardrailConfigurations } from "./guardrail-configurations.ts"
import type { CallerRights } from "./guardrail-store.ts"

/** The guardrail that a request chooses. */
export interface ChosenGuardrail {
  /** Equal for two choices only if they open the same guardrail. Does not depend on the values of secrets. */
  readonly key: string
  readonly secrets: readonly SecretAddress[]
  /** Returns the configuration, with the workspace in each secret reference. */
  readonly data: () => GuardrailData
  /** Models of the request, which replace those of the configuration. */
  readonly models: readonly GuardrailModel[]
  /** The stored configuration, `<workspace>/<name>`. Undefined if the configuration is part of the request. */
  readonly id: string | undefined
}

export interface ChoiceRequest {
  readonly choice: GuardrailChoice
  /** The workspace of the request. References without a workspace refer to it. */
  readonly workspace: string
  readonly rights: CallerRights
  /** The model that the request names. It is used as `main` if the configuration has none. */
  readonly model: string | undefined
}

/**
 * Finds the guardrail that a request chooses.
 * @throws `invalid_request` if it gives no configuration or two; `not_found` if it does not exist or the caller may not see it
 */
export async function chooseGuardrail(
  configurations: GuardrailConfigurations,
  { choice, workspace, rights }: Omit<ChoiceRequest, "model">,
): Promise<ChosenGuardrail> {
  const config = typeof choice.config === "string" ? undefined : (choice.config ?? undefined)
  const id = configurationIdOf(choice)
  const models = withSecretsOfModels(choice.models ?? [], workspace)
  const ofModels = secretsOfModels(models, workspace)
  if ((id === undefined) === (config === undefined)) throw oneOfBoth(config === undefined)
  if (config !== undefined) {
    const data = withFullSecrets(config, workspace)
    const secrets = [...secretsOfModels(data.models ?? [], workspace), ...ofModels]
    return { key: digestOf([data, models]), secrets, data: () => data, models, id: undefined }
  }
  const found = await findConfiguration(configurations, id ?? "", { workspace, rights })
  const secrets = [...secretsOfModels(found.data.models ?? [], found.workspace), ...ofModels]
  const version = `${found.id} ${found.updated_at}`
  return {
    key: models.length === 0 ? version : `${version} ${digestOf(models)}`,
    secrets,
    data: () => withFullSecrets(found.data, found.workspace),
    models,
    id: `${found.workspace}/${found.name}`,
  }
}

async function findConfiguration(
  configurations: GuardrailConfigurations,
  id: string,
  { workspace, rights }: Pick<ChoiceRequest, "workspace" | "rights">,
): Promise<GuardrailConfiguration> {
  const end = id.indexOf("/")
  if (end < 0) return configurations.get(workspace, id)
  const named = id.slice(0, end)
  const name = id.slice(end + 1)
  // Everybody may use built-in configurations.
  if (!(await configurations.isBuiltIn(named, name))) rights.checkSees(named)
  return configurations.get(named, name)
}

function withFullSecrets(data: GuardrailData, workspace: string): GuardrailData {
  return { ...data, models: withSecretsOfModels(data.models ?? [], workspace) }
}

function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64")
}

function oneOfBoth(isNone: boolean) {
  const msg = `Give either 'config_id' or 'config'; ${isNone ? "neither is" : "both are"} given`
  return invalidRequest(["body", "guardrails"], msg, "one_of")
}
