import { parseSecretRef, type GuardrailModel, type SecretAddress } from "@assay/schemas"

/** The secrets that models name, where a name alone is one of the workspace `home`. */
export function secretsOfModels(models: readonly GuardrailModel[], home: string): readonly SecretAddress[] {
  return models.flatMap(({ api_key_secret }) =>
    api_key_secret === undefined ? [] : [parseSecretRef(api_key_secret, home)],
  )
}

/** Models whose secrets are named with their workspace, so that models of several workspaces can stand side by side. */
export function withSecretsOf(home: string, models: readonly GuardrailModel[]): GuardrailModel[] {
  return models.map((model) => {
    if (model.api_key_secret === undefined) return model
    const { workspace, name } = parseSecretRef(model.api_key_secret, home)
    return { ...model, api_key_secret: `${workspace}/${name}` }
  })
}
