import { AssayError, HubTreeEntry } from "@assay/schemas"
import { Type, type Static } from "@sinclair/typebox"
import type { FastifyReply, FastifyRequest } from "fastify"
import { access } from "../../auth/access.ts"
import { registryOf } from "../../auth/secret-rights.ts"
import type { App } from "../../http/app.ts"
import { rawFilePath } from "../../http/file-path.ts"
import type { Services } from "../../services.ts"
import { hubUrl, parseRevision } from "../hub-address.ts"
import { FolderParameters, isTrue, RevisionParameters } from "../hub-request.ts"
import { describeNodes } from "./tree-entry.ts"
import { foldersOf, nodesIn, type TreeNode } from "./tree-nodes.ts"

/** Formats the start of the next page as a cursor, which clients send back. */
function formatCursor(start: number): string {
  return Buffer.from(String(start)).toString("base64url")
}

/** @throws `bad_page_token` */
function parseCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  const start = Buffer.from(cursor, "base64url").toString()
  if (/^\d{1,9}$/.test(start)) return Number(start)
  throw new AssayError(
    "bad_page_token",
    `The cursor '${cursor}' was not issued by this server. Use the one in the Link header.`,
  )
}

const tags = ["hub"]
const read = access({ scope: "workspace", role: "viewer" })

const MAX_PAGE = 1000

const TreeQuery = Type.Object({
  recursive: Type.Optional(Type.String({ description: "`true`: includes the contents of subfolders." })),
  expand: Type.Optional(Type.String({ description: "`true`: includes the last commit." })),
  limit: Type.Integer({ minimum: 1, default: MAX_PAGE, description: `Entries per page, at most ${MAX_PAGE}.` }),
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
    { type, ws, name, rev }: Static<typeof RevisionParameters>,
    query: Static<typeof TreeQuery>,
  ): Promise<HubTreeEntry[]> {
    const registry = registryOf(services, request)
    const folder = rawFilePath(request).replace(/\/$/, "")
    const tree = await registry.revisions.get(ws, name, parseRevision(rev))
    const nodes = nodesIn(tree, folder, isTrue(query.recursive))
    if (nodes === undefined) {
      const message = `There is no folder '${folder}' in '${ws}/${name}' at commit ${tree.commit}.`
      throw new AssayError("not_found", message, { context: { path: folder, commit: tree.commit } })
    }
    const start = parseCursor(query.cursor)
    const end = start + Math.min(query.limit, MAX_PAGE)
    reply.header("x-repo-commit", tree.commit)
    if (end < nodes.length) {
      // Names the commit, so that all pages are of the same revision.
      const path = folder === "" ? "" : `/${encodeURIComponent(folder)}`
      const { recursive = "false", expand = "false", limit } = query
      const rest = new URLSearchParams({ recursive, expand, limit: String(limit), cursor: formatCursor(end) })
      const next = `${hubUrl(request)}/api/${type}/${ws}/${name}/tree/${tree.commit}${path}?${rest.toString()}`
      reply.header("link", `<${next}>; rel="next"`)
    }
    const options = { ws, name, tree, expand: isTrue(query.expand) }
    return describeNodes(registry, options, nodes.slice(start, end))
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
      const { ws, name, rev } = request.params
      const { paths = [], expand } = request.body
      const registry = registryOf(services, request)
      const tree = await registry.revisions.get(ws, name, parseRevision(rev))
      const folders = foldersOf(tree)
      const nodes = [paths].flat().flatMap((path): TreeNode[] => {
        const file = tree.get(path)
        if (file !== undefined) return [{ file }]
        const folder = folders.get(path.replace(/\/$/, ""))
        return folder === undefined ? [] : [{ folder }]
      })
      reply.header("x-repo-commit", tree.commit)
      return describeNodes(registry, { ws, name, tree, expand: isTrue(expand) }, nodes)
    },
  )
}
