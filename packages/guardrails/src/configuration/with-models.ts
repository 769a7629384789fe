import { invalidRequest, type GuardrailData, type GuardrailModel } from "@assay/schemas"
import { effectiveData, effectiveModel, MAIN, withMain } from "./effective-data.ts"
import { judgeTypes } from "./plan-judge.ts"

/**
 * Returns the configuration with `models` instead of its own models of the same types. Other types are added. A pinned model can
 * get another endpoint but keeps its name.
 * @throws `invalid_request` for another model instead of a pinned one
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
 * Returns the configuration with the model of a request as the name of `main`, if a flow asks `main` and the configuration gives it
 * no name. Otherwise returns the configuration unchanged.
 */
export function withAskedModel(given: GuardrailData, model: string | undefined): GuardrailData {
  if (model === undefined || model === "") return given
  const data = effectiveData(given)
  const main = data.models.find(({ type }) => type === MAIN)
  if (main?.model !== undefined || !judgeTypes(data).has(MAIN)) return given
  return { ...given, models: withMain(given.models ?? []).map((one) => (one.type === MAIN ? { ...one, model } : one)) }
}
