import { fieldsOf } from "@assay/json"
import type { ApiEndpoint, EvaluationModel } from "@assay/schemas"
import { conversations } from "@assay/scoring"

/** A model with the parameters of its requests. */
export interface AskedModel {
  readonly endpoint: ApiEndpoint
  readonly parameters: Readonly<Record<string, unknown>>
}

export function askedModel(model: EvaluationModel): AskedModel {
  return {
    endpoint: model.api_endpoint,
    parameters: conversations.modelParameters(fieldsOf(fieldsOf(model)["inference_params"])),
  }
}
