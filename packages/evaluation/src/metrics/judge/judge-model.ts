import { invalidRequest, type ApiEndpoint } from "@assay/schemas"
import { inferenceParameters } from "../../models/run-params.ts"
import { fieldsOf } from "../../rows/row-values.ts"

/** The model that judges, and how it is asked. */
export interface JudgeModel {
  readonly endpoint: ApiEndpoint
  /** Written by the user; null as a value means: not sent. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/**
 * Reads `model`, which holds `api_endpoint` or is one, with `inference_params` within it or beside it.
 * @throws `invalid_request` without URL and model
 */
export function judgeModel(params: Readonly<Record<string, unknown>>, name: string): JudgeModel {
  const model = fieldsOf(params["model"])
  const endpoint = fieldsOf(model["api_endpoint"] ?? model)
  if (typeof endpoint["url"] !== "string" || typeof endpoint["model_id"] !== "string") {
    const rule = 'needs the model that judges; write {"api_endpoint": {"url": "https://host/v1", "model_id": "…"}}.'
    throw invalidRequest([...name.split("."), "model"], rule, "missing")
  }
  const beside = [model["inference_params"], params["inference_params"]].map((one) =>
    inferenceParameters(fieldsOf(one)),
  )
  return { endpoint: endpoint as ApiEndpoint, parameters: Object.assign({}, ...beside) as Record<string, unknown> }
}
