import type { ApiEndpoint, RowRequest } from "@assay/schemas"
import type { RenderedRequest } from "../templates/request-template.ts"

/** Returns a request to a model as it is shown to users. A parameter with the value null is not sent. */
export function modelRequest({ model_id: model }: ApiEndpoint, { messages, parameters }: RenderedRequest): RowRequest {
  const sent = Object.entries(parameters).filter(([, value]) => value !== null)
  return { to: model, body: { ...Object.fromEntries(sent), model, messages } }
}
