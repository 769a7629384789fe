import type { ApiEndpoint, RowRequest } from "@assay/schemas"
import { isTextEndpoint, promptOfMessages } from "./endpoint-format.ts"
import type { RenderedRequest } from "../templates/prompt-template.ts"

/** Returns a request to a model as it is shown to users. A parameter with the value null is not sent. @throws `rows_invalid` for a chat to an endpoint that takes texts */
export function modelRequest(endpoint: ApiEndpoint, { messages, parameters }: RenderedRequest): RowRequest {
  const { model_id: model } = endpoint
  const sent = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== null))
  const asked = isTextEndpoint(endpoint) ? { prompt: promptOfMessages(messages) } : { messages }
  return { to: model, body: { ...sent, model, ...asked } }
}
