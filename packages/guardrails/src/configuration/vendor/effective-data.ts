import type { GuardrailData, GuardrailModel } from "@assay/schemas"
import { effectiveModel } from "./effective-model.ts"

/** A configuration as it is run: every model has its address and its name in the same place, and there is a `main`. */
export type EffectiveData = Omit<GuardrailData, "models" | "rails"> & Required<Pick<GuardrailData, "models" | "rails">>

/** The type of the model that chat asks, and self-checks that name no other. */
export const MAIN = "main"

/**
 * Reads a configuration in the form of NeMo Guardrails: `parameters.base_url` becomes `url`, `parameters.model_name` becomes `model`,
 * and a configuration without a `main` gets one, which requests name. What is read already comes back the same.
 */
export function effectiveData(data: GuardrailData): EffectiveData {
  return { ...data, models: withMain(data.models ?? []).map(effectiveModel), rails: data.rails ?? {} }
}

/** The models, and one of type `main` that has neither a name nor an address if there is none. */
export function withMain(models: readonly GuardrailModel[]): GuardrailModel[] {
  return models.some(({ type }) => type === MAIN) ? [...models] : [...models, { type: MAIN }]
}
