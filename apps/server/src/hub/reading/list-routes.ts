import { listRepositories, type RepositoryKind } from "@assay/hub"
import { visibleWorkspaces } from "@assay/access"
import { AssayError, type FilesetSort, HubListedRepository, numberField } from "@assay/schemas"
import { type Static, Type } from "@sinclair/typebox"
import type { FastifyRequest } from "fastify"
import { access, callerOf } from "../../auth/access.ts"
import { registryOf } from "../../auth/secret-rights.ts"
import type { App } from "../../http/app.ts"
import type { Services } from "../../services.ts"
import { hubUrl } from "../hub-address.ts"
import { isTrue, textsOf } from "../hub-request.ts"

const KINDS = ["models", "datasets", "spaces"] as const satisfies readonly RepositoryKind[]

/** Counters that only a hub has are 0 for all repositories, so every order is an order by them. */
const SORTS: Readonly<Record<string, "created_at" | "name">> = {
  createdAt: "created_at",
  id: "name",
  downloads: "created_at",
  likes: "created_at",
  likes30d: "created_at",
  trendingScore: "created_at",
}

/** Parameters that choose by facts that no fileset records. To ignore them would list other repositories than were asked for. */
const UNKNOWN_FACTS = [
  "pipeline_tag",
  "inference",
  "inference_provider",
  "apps",
  "num_parameters",
  "linked",
  "datasets",
  "models",
]

const several = (description: string) => Type.Optional(Type.Unknown({ description }))
const ListQuery = Type.Object({
  author: Type.Optional(Type.String({ description: "The workspace." })),
  search: several("Part of the id. Several: all of them."),
  filter: several("A tag, such as `language:en`. Several: all of them."),
  sort: Type.Optional(Type.String({ description: `One of ${Object.keys(SORTS).join(", ")}.` })),
  direction: Type.Optional(Type.String({ description: "`1`: ascending. Default: descending." })),
  gated: Type.Optional(Type.String({ description: "`true`: no repository, because none is gated." })),
  full: Type.Optional(Type.String({ description: "`true`: with commits and files." })),
  expand: several("Names of fields. `sha` and `siblings` are returned only if they are named."),
  limit: numberField("count", { default: 100, description: "Repositories per page, at most 100." }),
  p: numberField("offset", { maximum: 1_000_000, default: 0, description: "Number of the page, from 0." }),
})

/** Defines the routes that list filesets by purpose, as models, datasets and spaces. */
export function listRoutes(app: App, services: Services): void {
  const list = async (request: FastifyRequest, kind: RepositoryKind, query: Static<typeof ListQuery>) => {
    refuseUnknownFacts(request.query as object)
    const caller = callerOf(request)
    const fields = textsOf(query.expand)
    const isFull = isTrue(query.full)
    if (isTrue(query.gated)) return { repositories: [], isLast: true }
    return listRepositories(
      registryOf(services, request),
      {
        kind,
        author: query.author,
        search: textsOf(query.search),
        tags: textsOf(query.filter),
        sort: sortOf(query),
        limit: query.limit,
        page: query.p,
      },
      {
        isPrivate: caller.id !== null,
        withCommit: isFull || fields.includes("sha"),
        siblings: isFull || fields.includes("siblings") ? "paths" : "none",
        visible: visibleWorkspaces(caller),
      },
    )
  }
  for (const kind of KINDS) {
    app.get(
      `/api/${kind}`,
      {
        config: access({ scope: "any" }),
        schema: {
          tags: ["hub"],
          summary: `List ${kind}`,
          querystring: ListQuery,
          response: { 200: Type.Array(HubListedRepository) },
        },
      },
      async (request, reply) => {
        const { repositories, isLast } = await list(request, kind, request.query)
        if (!isLast) {
          const rest = new URLSearchParams(request.url.split("?")[1])
          rest.set("p", String(request.query.p + 1))
          reply.header("link", `<${hubUrl(request)}/api/${kind}?${rest.toString()}>; rel="next"`)
        }
        return repositories
      },
    )
  }
}

/** @throws `bad_request` */
function refuseUnknownFacts(query: object): void {
  const found = UNKNOWN_FACTS.find((name) => Object.hasOwn(query, name))
  if (found === undefined) return
  const message = `This hub can't choose repositories by '${found}', which it does not record; leave it out, or filter by tags.`
  throw new AssayError("bad_request", message)
}

/** @throws `bad_request` */
function sortOf({ sort = "createdAt", direction = "-1" }: Static<typeof ListQuery>): FilesetSort {
  const column = Object.hasOwn(SORTS, sort) ? SORTS[sort] : undefined
  if (column === undefined) {
    throw new AssayError(
      "bad_request",
      `This hub can't sort by '${sort}'; use one of ${Object.keys(SORTS).join(", ")}.`,
    )
  }
  return direction === "1" ? column : `-${column}`
}
