import { type AssayError, invalidRequest } from "@assay/schemas"
import { MAIN } from "../../configuration/effective-data.ts"
import type { OpenModel, OpenModels } from "../open-models.ts"

/**
 * Returns the model of a chat: the one that the chat names, at the endpoint of the configuration's model `main`, or `main` itself
 * if the chat names none. Another model is never used silently.
 * @throws `invalid_request` if there is no endpoint, no name, or another name than a pinned one
 */
export function mainModelOf(models: OpenModels, asked: string | undefined): OpenModel {
  const main = models.endpointOf(MAIN)
  if (main === undefined) throw missingMain()
  const { model } = main
  if (main.isPinned && model !== null) {
    if (asked === undefined || asked === model) return { ...main, model }
    const msg = `must be '${model}', to which the configuration pins its model; leave it out or give this name`
    throw invalidRequest(["body", "model"], msg, "pinned_model", asked)
  }
  const name = asked ?? model
  if (name !== null && name !== "") return { ...main, model: name }
  const msg = `name the model to ask; the configuration's model of type '${MAIN}' has only an endpoint`
  throw invalidRequest(["body", "model"], name === "" ? "must not be empty" : msg, "missing_model")
}

/** Creates the error for a configuration without an endpoint for chats. */
export function missingMain(): AssayError {
  const msg = `chat is sent to the endpoint of the model of type '${MAIN}', and there is none with a url; add { "type": "${MAIN}", "url": … } to the configuration's models, or give it in \`guardrails.models\``
  return invalidRequest(["body", "guardrails", "models"], msg, "missing_model")
}
