import { fieldsOf, isJsonObject, listOf } from "@assay/json"
import type { FastifyRequest } from "fastify"

/**
 * Moves the variables in messages of role `context`, a form of NeMo Guardrails, into `guardrails.context` of a body that is not
 * validated yet. No model knows such messages.
 */
export async function takeContext(request: FastifyRequest): Promise<void> {
  const body = fieldsOf(request.body)
  const messages = listOf(body["messages"])
  const variables = messages.flatMap((message) => {
    const { role, content } = fieldsOf(message)
    return role === "context" && isJsonObject(content) ? [{ message, content }] : []
  })
  if (variables.length === 0) return
  const guardrails = fieldsOf(body["guardrails"])
  const context = Object.assign({}, ...variables.map(({ content }) => content), fieldsOf(guardrails["context"]))
  request.body = {
    ...body,
    messages: messages.filter((message) => variables.every((taken) => taken.message !== message)),
    guardrails: { ...guardrails, context },
  }
}
