import { checkBranch, createTag, parseRevision } from "@assay/hub"
import { HubSquashBody, HubTagBody } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import { access } from "../../auth/access.ts"
import { registryOf } from "../../auth/secret-rights.ts"
import type { App } from "../../http/app.ts"
import type { Services } from "../../services.ts"
import { RevisionParameters } from "../hub-request.ts"

const edit = access({ scope: "workspace", role: "editor" })
const tags = ["hub"]
const response = { 200: Type.Object({}) }

/** Defines the routes that name commits with tags, and the one that forgets all former commits. */
export function tagRoutes(app: App, services: Services): void {
  app.post(
    "/api/:type/:ws/:name/tag/:rev",
    {
      config: edit,
      schema: { tags, summary: "Name a commit with a tag", params: RevisionParameters, body: HubTagBody, response },
    },
    async (request) => {
      const { ws, name, rev } = request.params
      const { tag, message } = request.body
      await createTag(registryOf(services, request), { ws, name, rev }, { tag, message: message ?? "" })
      return {}
    },
  )
  app.delete(
    "/api/:type/:ws/:name/tag/:rev",
    { config: edit, schema: { tags, summary: "Delete the tag `rev`", params: RevisionParameters, response } },
    async (request) => {
      const { ws, name, rev } = request.params
      await registryOf(services, request).history.deleteTag(ws, name, rev)
      return {}
    },
  )
  app.post(
    "/api/:type/:ws/:name/super-squash/:rev",
    {
      config: edit,
      schema: {
        tags,
        summary: "Forget the former commits, and remove the kept bytes of replaced and deleted files",
        params: RevisionParameters,
        body: HubSquashBody,
        response,
      },
    },
    async (request) => {
      const { ws, name, rev } = request.params
      checkBranch(rev)
      const { revisions, history } = registryOf(services, request)
      const { message } = request.body
      await revisions.get(ws, name, parseRevision(rev))
      await history.squash(ws, name, message ?? "Squash the history")
      return {}
    },
  )
}
