import type { GuardrailModel } from "../../guardrails/guardrail-model.ts"
import { parseSecretRef, type SecretAddress } from "../../access/secret.ts"
import type { BodyFields } from "./body-fields.ts"
import { findFields, isUserData, keepField, mapFields } from "./map-fields.ts"

/** Lists the secrets that a body names at any depth. A name without a workspace is a secret of the workspace `home`. */
export function secretsNamedIn(body: unknown, home: string, fields?: BodyFields): readonly SecretAddress[] {
  return findFields(body, "secret-reference", fields).flatMap(({ value }) =>
    typeof value === "string" ? [parseSecretRef(value, home)] : [],
  )
}

/** Returns the body with the workspace in each reference to a secret, so that it names the same secrets in any workspace. */
export function withSecretsOf<T>(body: T, home: string): T {
  return mapSecretReferences(body, (reference) => withWorkspace(reference, home))
}

function withWorkspace(reference: string, home: string): string {
  const { workspace, name } = parseSecretRef(reference, home)
  return `${workspace}/${name}`
}

/** Returns the body with each reference to a secret changed. */
export function mapSecretReferences<T>(body: T, change: (reference: string) => string): T {
  return mapFields(body, (field) => {
    const { name, value, kinds } = field
    if (kinds.includes("secret-reference") && typeof value === "string") return { [name]: change(value) }
    return isUserData(field) ? keepField(field) : undefined
  })
}

/** Lists the secrets of guardrail models. Parameters of a model are sent to it, so they hold no references. */
export function secretsOfModels(models: readonly GuardrailModel[], home: string): readonly SecretAddress[] {
  return models.flatMap(({ api_key_secret: reference }) =>
    reference === undefined ? [] : [parseSecretRef(reference, home)],
  )
}

/** Returns guardrail models with the workspace in their references, so that models of several workspaces can be used together. */
export function withSecretsOfModels(models: readonly GuardrailModel[], home: string): GuardrailModel[] {
  return models.map((model) =>
    model.api_key_secret === undefined
      ? model
      : { ...model, api_key_secret: withWorkspace(model.api_key_secret, home) },
  )
}
