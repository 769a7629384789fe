import {
  checkSettings,
  createRepository,
  firstCommit,
  moveRepository,
  parseRepositoryId,
  repositoryUrl,
} from "@assay/hub"
import { requireRole, roleIn } from "@assay/access"
import {
  HubRepositoryBody,
  HubSettingsBody,
  MoveHubRepositoryBody,
  NewHubRepository,
  NewHubRepositoryBody,
} from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import { access, callerOf } from "../../auth/access.ts"
import { registryOf } from "../../auth/secret-rights.ts"
import type { App } from "../../http/app.ts"
import type { Services } from "../../services.ts"
import { hubUrl } from "../hub-address.ts"
import { RepositoryParameters } from "../hub-request.ts"
import type { CommitRepository } from "./commit-routes.ts"

const tags = ["hub"]
const anyone = access({ scope: "any" })

/** The workspace of repositories that are named without a namespace. */
const DEFAULT_WORKSPACE = "default"

/** Defines the routes that create, rename, set up and delete repositories, which are filesets. */
export function manageRoutes(app: App, services: Services, commitRepository: CommitRepository): void {
  changeRoutes(app, services)
  app.post(
    "/api/repos/create",
    {
      config: anyone,
      schema: { tags, summary: "Create a repository", body: NewHubRepositoryBody, response: { 200: NewHubRepository } },
    },
    async (request) => {
      const { name, type, files = [] } = request.body
      const ws = request.body.organization ?? DEFAULT_WORKSPACE
      const caller = callerOf(request)
      requireRole(caller, ws, "editor")
      const workspaces = roleIn(caller, "*") === "admin" ? services.registry.workspaces : undefined
      const id = `${ws}/${name}`
      const url = repositoryUrl(hubUrl(request), `${type ?? "model"}s`, id)
      await createRepository(registryOf(services, request), { ws, name, type: type ?? "model", url, workspaces })
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

/** Defines the routes that change the record of a repository. */
function changeRoutes(app: App, services: Services): void {
  app.post(
    "/api/repos/move",
    {
      config: anyone,
      schema: {
        tags,
        summary: "Rename a repository within its workspace",
        body: MoveHubRepositoryBody,
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      const [from, to] = [parseRepositoryId(request.body.fromRepo), parseRepositoryId(request.body.toRepo)]
      for (const { ws } of [from, to]) requireRole(callerOf(request), ws, "editor")
      await moveRepository(registryOf(services, request), from, to)
      return {}
    },
  )
  app.put(
    "/api/:type/:ws/:name/settings",
    {
      config: access({ scope: "workspace", role: "editor" }),
      schema: {
        tags,
        summary: "Check settings: who may read is decided by tokens",
        params: RepositoryParameters,
        body: HubSettingsBody,
        response: { 200: Type.Object({ private: Type.Boolean(), gated: Type.Literal(false) }) },
      },
    },
    async (request) => {
      const { ws, name } = request.params
      await registryOf(services, request).filesets.get(ws, name)
      const isPrivate = callerOf(request).id !== null
      checkSettings(request.body, { isPrivate })
      return { private: isPrivate, gated: false as const }
    },
  )
}
