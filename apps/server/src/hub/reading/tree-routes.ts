import { describePaths, listTree, MAX_TREE_PAGE } from "@assay/hub"
import { HubTreeEntry, numberField } from "@assay/schemas"
import { Type, type Static } from "@sinclair/typebox"
import type { FastifyReply, FastifyRequest } from "fastify"
import { access } from "../../auth/access.ts"
import { registryOf } from "../../auth/secret-rights.ts"
import type { App } from "../../http/app.ts"
import { pathTextOf } from "../../http/file-path.ts"
import type { Services } from "../../services.ts"
import { hubUrl } from "../hub-address.ts"
import { FolderParameters, isTrue, RevisionParameters } from "../hub-request.ts"

const tags = ["hub"]
const read = access({ scope: "workspace", role: "viewer" })

const TreeQuery = Type.Object({
  recursive: Type.Optional(Type.String({ description: "`true`: includes the contents of subfolders." })),
  expand: Type.Optional(Type.String({ description: "`true`: includes the last commit." })),
  limit: numberField("count", {
    default: MAX_TREE_PAGE,
    description: `Entries per page, at most ${MAX_TREE_PAGE}.`,
  }),
  cursor: Type.Optional(Type.String({ description: "Cursor in the Link header of the previous page." })),
})

const PathsInfoBody = Type.Object({
  paths: Type.Optional(Type.Union([Type.Array(Type.String()), Type.String()])),
  expand: Type.Optional(Type.Unknown()),
})

/** Defines the routes that list folders of a revision and describe single paths. */
export function treeRoutes(app: App, services: Services): void {
  async function list(
    request: FastifyRequest,
    reply: FastifyReply,
    address: Static<typeof RevisionParameters>,
    { recursive = "false", expand = "false", limit, cursor }: Static<typeof TreeQuery>,
  ): Promise<HubTreeEntry[]> {
    const folder = pathTextOf(request).replace(/\/$/, "")
    const query = { folder, recursive: isTrue(recursive), expand: isTrue(expand), limit, cursor }
    const { commit, entries, next } = await listTree(registryOf(services, request), address, query)
    reply.header("x-repo-commit", commit)
    if (next !== undefined) {
      // Names the commit, so that all pages are of the same revision.
      const path = folder === "" ? "" : `/${encodeURIComponent(folder)}`
      const rest = new URLSearchParams({ recursive, expand, limit: String(limit), cursor: next })
      const { type, ws, name } = address
      const url = `${hubUrl(request)}/api/${type}/${ws}/${name}/tree/${commit}${path}?${rest.toString()}`
      reply.header("link", `<${url}>; rel="next"`)
    }
    return entries
  }

  const schema = { tags, summary: "List a folder", querystring: TreeQuery, response: { 200: Type.Array(HubTreeEntry) } }
  app.get(
    "/api/:type/:ws/:name/tree/:rev",
    { config: read, schema: { ...schema, params: RevisionParameters } },
    (request, reply) => list(request, reply, request.params, request.query),
  )
  app.get(
    "/api/:type/:ws/:name/tree/:rev/*",
    { config: read, schema: { ...schema, params: FolderParameters } },
    (request, reply) => list(request, reply, request.params, request.query),
  )
  app.post(
    "/api/:type/:ws/:name/paths-info/:rev",
    {
      config: read,
      schema: {
        tags,
        summary: "Describe some paths; missing ones are left out",
        params: RevisionParameters,
        body: PathsInfoBody,
        response: { 200: Type.Array(HubTreeEntry) },
      },
    },
    async (request, reply) => {
      const { paths = [], expand } = request.body
      const wanted = { paths: [paths].flat(), expand: isTrue(expand) }
      const { commit, entries } = await describePaths(registryOf(services, request), request.params, wanted)
      reply.header("x-repo-commit", commit)
      return entries
    },
  )
}
