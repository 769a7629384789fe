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
import type { Caller } from "../auth/grant.ts"
import { requireRole } from "../auth/require-role.ts"
import type { GuardrailConfigurations } from "./guardrail-configurations.ts"
import { configurationIdOf } from "./request-options.ts"

/** What a request wants to be checked with. */
export interface ChosenGuardrail {
  /** Another one for whatever would be opened in another way, but for the values of secrets. */
  readonly key: string
  readonly secrets: readonly SecretAddress[]
  /** The configuration, its secrets named with their workspace. */
  readonly data: () => GuardrailData
  /** The request's own models, which take the place of the configuration's. */
  readonly models: readonly GuardrailModel[]
  /** The configuration comes with the request. */
  readonly isInline: boolean
}

export interface ChoiceRequest {
  readonly choice: GuardrailChoice
  /** The workspace of the request: names alone are names in it. */
  readonly workspace: string
  readonly caller: Caller
  /** The model that the request names: it serves as `main` if the configuration names none. */
  readonly model: string | undefined
}

/** @throws `invalid_request` for none or two configurations; `not_found` for one that is not there or not to be seen */
export async function chooseGuardrail(
  configurations: GuardrailConfigurations,
  { choice, workspace, caller }: ChoiceRequest,
): Promise<ChosenGuardrail> {
  const { config } = choice
  const id = configurationIdOf(choice)
  const models = withSecretsOfModels(choice.models ?? [], workspace)
  const ofModels = secretsOfModels(models, workspace)
  if ((id === undefined) === (config === undefined)) throw oneOfBoth(config === undefined)
  if (config !== undefined) {
    const data = withFullSecrets(config, workspace)
    const secrets = [...secretsOfModels(data.models ?? [], workspace), ...ofModels]
    return { key: digestOf([data, models]), secrets, data: () => data, models, isInline: true }
  }
  const found = await findConfiguration(configurations, id ?? "", { workspace, caller })
  const secrets = [...secretsOfModels(found.data.models ?? [], found.workspace), ...ofModels]
  const version = `${found.id} ${found.updated_at}`
  return {
    key: models.length === 0 ? version : `${version} ${digestOf(models)}`,
    secrets,
    data: () => withFullSecrets(found.data, found.workspace),
    models,
    isInline: false,
  }
}

async function findConfiguration(
  configurations: GuardrailConfigurations,
  id: string,
  { workspace, caller }: Pick<ChoiceRequest, "workspace" | "caller">,
): Promise<GuardrailConfiguration> {
  const end = id.indexOf("/")
  if (end < 0) return configurations.get(workspace, id)
  const [home, name] = [id.slice(0, end), id.slice(end + 1)]
  // What is built in is everybody's.
  if (!(await configurations.isBuiltIn(home, name))) requireRole(caller, home, "viewer")
  return configurations.get(home, name)
}

function withFullSecrets(data: GuardrailData, home: string): GuardrailData {
  return { ...data, models: withSecretsOfModels(data.models ?? [], home) }
}

function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64")
}

function oneOfBoth(isNone: boolean) {
  const msg = `Give one of 'config_id' and 'config'; ${isNone ? "neither is" : "both are"} there`
  return invalidRequest(["body", "guardrails"], msg, "one_of")
}
