import { describeRepository, listCommits, type RevisionAddress } from "@assay/hub"
import { HubCommit, HubRefs, HubRepository, numberField } from "@assay/schemas"
import { type Static, Type } from "@sinclair/typebox"
import type { FastifyRequest } from "fastify"
import { access, callerOf } from "../../auth/access.ts"
import { registryOf } from "../../auth/secret-rights.ts"
import type { App } from "../../http/app.ts"
import type { Services } from "../../services.ts"
import { hubUrl } from "../hub-address.ts"
import { isTrue, RepositoryParameters, RevisionParameters } from "../hub-request.ts"

const tags = ["hub"]
const read = access({ scope: "workspace", role: "viewer" })

const InfoQuery = Type.Object({
  blobs: Type.Optional(Type.String({ description: "`true`: siblings with sizes and digests." })),
  expand: Type.Optional(
    Type.Unknown({ description: "Names of fields. With this parameter, `siblings` is returned only if it is named." }),
  ),
})

const CommitsQuery = Type.Object({
  limit: numberField("count", { maximum: 1_000_000, default: 100 }),
  p: numberField("offset", { maximum: 1_000_000_000, default: 0, description: "Number of the page, from 0." }),
})

/** Defines the routes that describe a repository, now or at a commit, its branch, its tags and its last commits. */
export function repositoryRoutes(app: App, services: Services): void {
  const describe = (request: FastifyRequest, address: RevisionAddress, { blobs, expand }: Static<typeof InfoQuery>) => {
    const wantsFiles = expand === undefined || [expand].flat().includes("siblings")
    const siblings = wantsFiles ? (isTrue(blobs) ? "blobs" : "paths") : "none"
    const isPrivate = callerOf(request).id !== null
    return describeRepository(registryOf(services, request), address, { siblings, isPrivate })
  }

  const schema = {
    tags,
    summary: "Describe a repository",
    querystring: InfoQuery,
    response: { 200: HubRepository },
  }
  app.get("/api/:type/:ws/:name", { config: read, schema: { ...schema, params: RepositoryParameters } }, (request) =>
    describe(request, request.params, request.query),
  )
  app.get(
    "/api/:type/:ws/:name/revision/:rev",
    { config: read, schema: { ...schema, params: RevisionParameters } },
    (request) => describe(request, request.params, request.query),
  )
  accessCheckRoutes(app, services)
  commitRoutes(app, services)
}

function commitRoutes(app: App, services: Services): void {
  app.get(
    "/api/:type/:ws/:name/refs",
    {
      config: read,
      schema: {
        tags,
        summary: "List the branch and the tags",
        params: RepositoryParameters,
        response: { 200: HubRefs },
      },
    },
    async (request) => {
      const { ws, name } = request.params
      const { revisions, history } = registryOf(services, request)
      const { commit } = await revisions.get(ws, name, undefined)
      const main = { name: "main", ref: "refs/heads/main", targetCommit: commit }
      const tags = (await history.listTags(ws, name)).map((tag) => ({
        name: tag.name,
        ref: `refs/tags/${tag.name}`,
        targetCommit: tag.commit,
      }))
      return { branches: [main], tags, converts: [], pullRequests: [] }
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
      const { params, query } = request
      const page = await listCommits(registryOf(services, request), params, query)
      if (!page.isLast) {
        const url = `${hubUrl(request)}/api/${params.type}/${params.ws}/${params.name}/commits/${page.commit}`
        reply.header("link", `<${url}?limit=${query.limit}&p=${query.p + 1}>; rel="next"`)
      }
      reply.header("x-total-count", page.total)
      return page.commits
    },
  )
}

/** Defines the routes with which clients ask for their rights in a repository. */
function accessCheckRoutes(app: App, services: Services): void {
  for (const [path, role] of [
    ["", "viewer"],
    ["/write", "editor"],
  ] as const) {
    app.get(
      `/api/:type/:ws/:name/auth-check${path}`,
      {
        config: access({ scope: "workspace", role }),
        schema: {
          tags,
          summary: `Check that the token may ${role === "viewer" ? "read" : "write"} a repository`,
          params: RepositoryParameters,
          response: { 200: Type.Object({}) },
        },
      },
      async (request) => {
        const { ws, name } = request.params
        await registryOf(services, request).filesets.get(ws, name)
        return {}
      },
    )
  }
}
