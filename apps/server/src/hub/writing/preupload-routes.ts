import { checkBranch, uploadModes } from "@assay/hub"
import { HubPreuploadAnswer, HubPreuploadBody } from "@assay/schemas"
import { access } from "../../auth/access.ts"
import { registryOf } from "../../auth/secret-rights.ts"
import type { App } from "../../http/app.ts"
import type { Services } from "../../services.ts"
import { CommitQuery, refusePullRequest, RevisionParameters } from "../hub-request.ts"

/** Defines the route that returns to clients how to send each file. */
export function preuploadRoutes(app: App, services: Services): void {
  app.post(
    "/api/:type/:ws/:name/preupload/:rev",
    {
      config: access({ scope: "workspace", role: "editor" }),
      schema: {
        tags: ["hub"],
        summary: "Get the upload mode of each file",
        params: RevisionParameters,
        querystring: CommitQuery,
        body: HubPreuploadBody,
        response: { 200: HubPreuploadAnswer },
      },
    },
    async (request) => {
      const { ws, name, rev } = request.params
      const { files, revisions } = registryOf(services, request)
      refusePullRequest(request.query.create_pr)
      checkBranch(rev)
      await files.openWritable(ws, name)
      const tree = await revisions.get(ws, name, undefined)
      return { files: await uploadModes(tree, request.body.files) }
    },
  )
}
