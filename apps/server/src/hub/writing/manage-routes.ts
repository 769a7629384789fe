import { createRepository, firstCommit, repositoryUrl } from "@assay/hub"
import { requireRole } from "@assay/access"
import { HubRepositoryBody, NewHubRepository, NewHubRepositoryBody } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import { access, callerOf } from "../../auth/access.ts"
import { registryOf } from "../../auth/secret-rights.ts"
import type { App } from "../../http/app.ts"
import type { Services } from "../../services.ts"
import { hubUrl } from "../hub-address.ts"
import type { CommitRepository } from "./commit-routes.ts"

const tags = ["hub"]
const anyone = access({ scope: "any" })

/** The workspace of repositories that are named without a namespace. */
const DEFAULT_WORKSPACE = "default"

/** Defines the routes that create and delete repositories, which are filesets. */
export function manageRoutes(app: App, services: Services, commitRepository: CommitRepository): void {
  app.post(
    "/api/repos/create",
    {
      config: anyone,
      schema: { tags, summary: "Create a repository", body: NewHubRepositoryBody, response: { 200: NewHubRepository } },
    },
    async (request) => {
      const { name, type, files = [] } = request.body
      const ws = request.body.organization ?? DEFAULT_WORKSPACE
      requireRole(callerOf(request), ws, "editor")
      const id = `${ws}/${name}`
      const url = repositoryUrl(hubUrl(request), `${type ?? "model"}s`, id)
      await createRepository(registryOf(services, request), { ws, name, type: type ?? "model", url })
      if (files.length > 0) await commitRepository(request, { ws, name }, firstCommit(files))
      return { url, id, name: id }
    },
  )
  app.delete(
    "/api/repos/delete",
    {
      config: anyone,
      schema: {
        tags,
        summary: "Delete a repository and its files",
        body: HubRepositoryBody,
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      const { name } = request.body
      const ws = request.body.organization ?? DEFAULT_WORKSPACE
      requireRole(callerOf(request), ws, "editor")
      await registryOf(services, request).filesets.remove(ws, name)
      return {}
    },
  )
}
