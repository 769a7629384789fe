import type { GuardrailData, GuardrailModel } from "@assay/schemas"

/** The configuration with `models` in place of its own of the same type; types that it does not have are added. */
export function withModels(data: GuardrailData, models: readonly GuardrailModel[]): GuardrailData {
  const given = new Map(models.map((model) => [model.type, model]))
  const own = new Set(data.models.map(({ type }) => type))
  return {
    ...data,
    models: [
      ...data.models.map((model) => given.get(model.type) ?? model),
      ...[...given.values()].filter(({ type }) => !own.has(type)),
    ],
  }
}
