import { invalidRequest, type GuardrailData, type GuardrailModel } from "@assay/schemas"
import { effectiveModel } from "./vendor/effective-model.ts"

/**
 * The configuration with `models` in place of its own of the same type; types that it does not have are added. A pinned model may
 * get another endpoint and keeps its name.
 * @throws `invalid_request` for another model in place of a pinned one
 */
export function withModels(data: GuardrailData, models: readonly GuardrailModel[]): GuardrailData {
  if (models.length === 0) return data
  const given = new Map(models.map((model) => [model.type, model]))
  const own = new Set((data.models ?? []).map(({ type }) => type))
  return {
    ...data,
    models: [
      ...(data.models ?? []).map((model) => inPlaceOf(model, given.get(model.type))),
      ...[...given.values()].filter(({ type }) => !own.has(type)),
    ],
  }
}

function inPlaceOf(own: GuardrailModel, given: GuardrailModel | undefined): GuardrailModel {
  if (given === undefined) return own
  const { model } = effectiveModel(own)
  if (own.pinned !== true || model === undefined) return given
  const { model: other } = effectiveModel(given)
  if (other !== undefined && other !== model) {
    const msg = `the configuration pins its model of type '${own.type}' to '${model}'; leave the name out or give this one`
    throw invalidRequest(["body", "guardrails", "models"], msg, "pinned_model", other)
  }
  return { ...given, model, pinned: true }
}
