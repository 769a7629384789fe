import { formatTimestamp, HubCommit, HubRefs } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import { access } from "../../auth/access.ts"
import { registryOf } from "../../auth/secret-rights.ts"
import type { App } from "../../http/app.ts"
import type { Services } from "../../services.ts"
import { hubUrl, parseRevision } from "../hub-address.ts"
import { RepositoryParameters, RevisionParameters } from "../hub-request.ts"
import { commitTitle } from "./tree-entry.ts"

const tags = ["hub"]
const read = access({ scope: "workspace", role: "viewer" })

const CommitsQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, default: 100 }),
  p: Type.Integer({ minimum: 0, default: 0, description: "Number of the page, from 0." }),
})

/** Defines the routes for the branch and its last commits. */
export function historyRoutes(app: App, services: Services): void {
  app.get(
    "/api/:type/:ws/:name/refs",
    {
      config: read,
      schema: { tags, summary: "List branches", params: RepositoryParameters, response: { 200: HubRefs } },
    },
    async (request) => {
      const { ws, name } = request.params
      const { revisions } = registryOf(services, request)
      const { commit } = await revisions.get(ws, name, undefined)
      const main = { name: "main", ref: "refs/heads/main", targetCommit: commit }
      return { branches: [main], tags: [], converts: [], pullRequests: [] }
    },
  )
  app.get(
    "/api/:type/:ws/:name/commits/:rev",
    {
      config: read,
      schema: {
        tags,
        summary: "List the commits that led to a revision, the newest first",
        params: RevisionParameters,
        querystring: CommitsQuery,
        response: { 200: Type.Array(HubCommit) },
      },
    },
    async (request, reply) => {
      const { type, ws, name, rev } = request.params
      const { limit, p } = request.query
      const { revisions } = registryOf(services, request)
      const { commit } = await revisions.get(ws, name, parseRevision(rev))
      const all = await revisions.list(ws, name)
      const commits = all.slice(all.findIndex((one) => one.commit === commit))
      const end = (p + 1) * limit
      if (end < commits.length) {
        const next = `${hubUrl(request)}/api/${type}/${ws}/${name}/commits/${commit}?limit=${limit}&p=${p + 1}`
        reply.header("link", `<${next}>; rel="next"`)
      }
      reply.header("x-total-count", commits.length)
      return commits.slice(p * limit, end).map((one) => ({
        id: one.commit,
        title: commitTitle(one),
        message: "",
        authors: [],
        date: formatTimestamp(one.createdAt),
      }))
    },
  )
}
