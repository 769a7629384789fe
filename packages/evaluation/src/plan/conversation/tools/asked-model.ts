import { fieldsOf } from "@assay/json"
import type { ApiEndpoint, EvaluationModel } from "@assay/schemas"
import { conversations, markedReasoning } from "@assay/scoring"

/** A model with the parameters of its requests. */
export interface AskedModel {
  readonly endpoint: ApiEndpoint
  readonly parameters: Readonly<Record<string, unknown>>
  /** Returns the text of an answer without its reasoning, if that is removed. */
  readonly withoutReasoning: (text: string) => string
}

/** @param location the model in the configuration, for messages @throws `invalid_request` for settings of reasoning that can't be obeyed */
export function askedModel(model: EvaluationModel, location: string): AskedModel {
  const reasoning = markedReasoning.readSettings(model, location)
  return {
    endpoint: model.api_endpoint,
    parameters: conversations.modelParameters(fieldsOf(fieldsOf(model)["inference_params"])),
    withoutReasoning: (text) => (reasoning === undefined ? text : markedReasoning.remove(text, reasoning)),
  }
}
