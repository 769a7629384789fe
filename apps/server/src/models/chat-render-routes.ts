import { clientSignal } from "@assay/http/node"
import { ChatRenderBody, ChatRendering } from "@assay/schemas"
import { callerOf } from "../auth/access.ts"
import { callerFilesets } from "../filesets/caller-filesets.ts"
import type { App } from "../http/app.ts"
import { installJsonParser } from "../http/body-parsers.ts"
import { describeRoutes } from "../http/describe-routes.ts"
import { NamedParameters, ok } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"
import { checkFilesetRole } from "./model-routes.ts"

const read = describeRoutes("models", { scope: "workspace", role: "viewer" })

/** Defines the route that renders a conversation, under `/apis/models/v2`. The numbers of its bodies are kept: 1.0 is not 1. */
export function chatRenderRoutes(app: App, { registry, chatTemplates }: Services): void {
  installJsonParser(app, true)
  app.post(
    "/workspaces/:ws/models/:name/render",
    read({
      summary: "Render a conversation with the chat template of a model",
      params: NamedParameters,
      body: ChatRenderBody,
      response: ok(ChatRendering),
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      const model = await registry.models.get(request.params.ws, request.params.name)
      if (model.fileset !== null) checkFilesetRole(caller, model.fileset)
      const call = { filesets: callerFilesets(registry, caller), signal: clientSignal(reply.raw) }
      return chatTemplates.render(model, request.body, call)
    },
  )
}
