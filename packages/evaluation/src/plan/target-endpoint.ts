import { invalidRequest, type ApiEndpoint, type EvaluationTargetBody } from "@assay/schemas"

/** The endpoint of a target that is a model; undefined of any other. @throws `invalid_request` where it has no endpoint */
export function targetEndpoint({ type, model }: EvaluationTargetBody): ApiEndpoint | undefined {
  if (type !== "model") return undefined
  if (model?.api_endpoint !== undefined) return model.api_endpoint
  const rule = 'is missing; write {"api_endpoint": {"url": "https://host/v1", "model_id": "…"}}.'
  throw invalidRequest(["target", "model"], rule, "missing")
}
