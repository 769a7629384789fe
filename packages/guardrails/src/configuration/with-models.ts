import { invalidRequest, type GuardrailData, type GuardrailModel } from "@assay/schemas"
import { effectiveData, effectiveModel, MAIN, withMain } from "./effective-data.ts"
import { judgeTypes } from "./judge-types.ts"

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

/**
 * The configuration with the model that a request names as `main`, if a flow asks `main` and the configuration does not name it; else
 * the configuration itself.
 */
export function withAskedModel(given: GuardrailData, model: string | undefined): GuardrailData {
  if (model === undefined || model === "") return given
  const data = effectiveData(given)
  const main = data.models.find(({ type }) => type === MAIN)
  if (main?.model !== undefined || !judgeTypes(data).has(MAIN)) return given
  return { ...given, models: withMain(given.models ?? []).map((one) => (one.type === MAIN ? { ...one, model } : one)) }
}
