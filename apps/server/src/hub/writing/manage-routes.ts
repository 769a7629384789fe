import type { CommitLine } from "@assay/registry"
import {
  AssayError,
  HubRepositoryBody,
  isAssayError,
  NewHubRepository,
  NewHubRepositoryBody,
  type Purpose,
} from "@assay/schemas"
import { Type, type Static } from "@sinclair/typebox"
import { access, callerOf } from "../../auth/access.ts"
import { requireRole } from "@assay/registry/tokens"
import { registryOf } from "../../auth/secret-rights.ts"
import type { App } from "../../http/app.ts"
import type { Services } from "../../services.ts"
import { repositoryUrl } from "../hub-address.ts"
import type { CommitRepository } from "./commit-routes.ts"

const tags = ["hub"]
const anyone = access({ scope: "any" })

/** The workspace of repositories that are named without a namespace. */
const DEFAULT_WORKSPACE = "default"

const PURPOSES: Readonly<Record<string, Purpose>> = { model: "model", dataset: "dataset" }

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
      const url = repositoryUrl(request, `${type ?? "model"}s`, id)
      const purpose = PURPOSES[type ?? "model"] ?? "generic"
      await orExisting(registryOf(services, request).filesets.create(ws, { name, purpose }), url)
      if (files.length > 0) await commitRepository(request, { ws, name }, linesOf(files))
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

async function* linesOf(files: NonNullable<Static<typeof NewHubRepositoryBody>["files"]>): AsyncGenerator<CommitLine> {
  yield { key: "header", value: { summary: "Initial commit" } }
  for (const value of files) yield { key: "file", value }
}

/** Adds the URL to the error if the repository exists: clients with `exist_ok` read it from there. */
async function orExisting<T>(creation: Promise<T>, url: string): Promise<T> {
  try {
    return await creation
  } catch (error) {
    if (!isAssayError(error, "already_exists")) throw error
    throw new AssayError("already_exists", error.message, { context: { url }, cause: error })
  }
}
