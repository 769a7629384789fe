import type { GuardrailModel } from "@assay/schemas"

/** Values that replace those of every model of a configuration. */
export interface JudgeEndpoint {
  readonly url: string | undefined
  readonly model: string | undefined
  readonly family: string | undefined
  /** Additional trusted certificates in PEM. */
  readonly ca: string | undefined
}

/** Returns the models of a configuration with another endpoint. */
export function withEndpoint(
  models: readonly GuardrailModel[],
  { url, model, family, ca }: JudgeEndpoint,
): readonly GuardrailModel[] {
  return models.map(({ api_key_env_var: variable, ...one }) => ({
    ...one,
    // The key in this variable belongs to the address in the configuration, and not to another one.
    ...(url === undefined ? (variable == null ? {} : { api_key_env_var: variable }) : { url }),
    ...(model === undefined ? {} : { model }),
    ...(family === undefined ? {} : { family }),
    ...(ca === undefined ? {} : { ca }),
  }))
}
