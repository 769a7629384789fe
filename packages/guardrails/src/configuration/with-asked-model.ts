import type { GuardrailData } from "@assay/schemas"
import { judgeTypes } from "./judge-types.ts"
import { effectiveData, MAIN, withMain } from "./vendor/effective-data.ts"

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
