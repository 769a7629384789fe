import { clientSignal } from "@assay/http/node"
import {
  ComparedRowChange,
  ComparedRowPage,
  ComparedRowSort,
  MAX_OTHER_JOBS,
  numberField,
  RowAttempts,
  ScoreDistribution,
  ScoredRowPage,
} from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { App } from "../http/app.ts"
import { describeRoutes } from "../http/describe-routes.ts"
import { filterParameters, ok } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"
import { JobParameters, jobCallerOf } from "./evaluation-requests.ts"

// The workspace of a job is known only after it is found. Rights are checked then.
const read = describeRoutes("evaluation", { scope: "any" })

const task = Type.Optional(Type.String({ description: "Only rows of this task." }))
const filter = Type.Optional(
  Type.String({
    description:
      "Fields with their values, in brackets: `filter[condition]=rate_limited`, `filter[error][$nin]=null`, `filter[verdict][$in]=block,unreadable`, " +
      "`filter[score:accuracy][$lt]=0.5`, `filter[latency][$gte]=2000`, `filter[text][$like]=refund`, `filter[output][$like]=sorry`, `filter[item:topic][$like]=science`. All of them must hold. " +
      "Of filters whose field begins with `any:`, as in `filter[any:error][$nin]=null`, one must hold.",
  }),
)
const page = {
  offset: numberField("offset", { default: 0, description: "Number of rows before the page." }),
  limit: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 100,
    description: "Maximum number of rows. Large rows can make the page smaller: continue at `next_offset`.",
  }),
}
const metric = Type.String({ minLength: 1, description: "`<metric>.<score>`, or `<metric>` if it has one score." })
const RowsQuery = Type.Object({
  task,
  ...page,
  sort: Type.String({
    default: "index",
    description:
      "`index`, `task`, `output`, `latency`, `condition`, `verdict`, `error`, `score:<metric>`, `item:<field>` or, with `against`, `changed:<metric>`; a leading `-` means descending. Rows without the value come last.",
  }),
  filter,
  against: Type.Optional(Type.String({ description: "The id of another job, whose rows are shown beside these." })),
})
const DistributionQuery = Type.Object({
  task,
  metric,
  filter,
})
const CompareRowsQuery = Type.Object({
  a: Type.String({ minLength: 1, description: "The id of the first job." }),
  b: Type.String({ minLength: 1, description: "The id of the second job. Filters are about its rows." }),
  task,
  metric,
  ...page,
  sort: ComparedRowSort,
  change: Type.Optional(ComparedRowChange),
  others: Type.Optional(
    Type.String({
      description: `The ids of at most ${MAX_OTHER_JOBS} further jobs, separated by commas, whose rows are returned beside these.`,
    }),
  ),
  filter,
})
const RowParameters = Type.Object({
  ...JobParameters.properties,
  task: Type.String(),
  index: Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 }),
})

/** Returns the filters of a request. A search for their texts ends when the client leaves. */
function filtersOf({ query }: FastifyRequest, reply: FastifyReply) {
  const parameters = filterParameters(query as Readonly<Record<string, unknown>>)
  return { parameters, signal: clientSignal(reply.raw) }
}

/** Defines the routes for the rows of jobs, also while they run. */
export function scoredRowRoutes(app: App, { evaluations: { rows } }: Services): void {
  app.get(
    "/jobs/:id/rows",
    read({
      summary: "List the scored rows of a job, also while it runs",
      params: JobParameters,
      querystring: RowsQuery,
      response: ok(ScoredRowPage),
    }),
    async (request, reply) => {
      const { task, offset, limit, sort, against } = request.query
      const query = { task, offset, limit, sort, against, ...filtersOf(request, reply) }
      return rows.list(request.params.id, query, jobCallerOf(request))
    },
  )
  app.get(
    "/jobs/:id/rows/:task/:index",
    read({
      summary: "Get a row of a job with every attempt at it",
      params: RowParameters,
      response: ok(RowAttempts),
    }),
    async (request) => rows.get(request.params.id, request.params, jobCallerOf(request)),
  )
  app.get(
    "/jobs/:id/distribution",
    read({
      summary: "Get the distribution of a score over the rows of a job",
      params: JobParameters,
      querystring: DistributionQuery,
      response: ok(ScoreDistribution),
    }),
    async (request, reply) => {
      const { task, metric } = request.query
      const query = { task, metric, ...filtersOf(request, reply) }
      return rows.distribution(request.params.id, query, jobCallerOf(request))
    },
  )
  app.get(
    "/compare/rows",
    read({
      summary: "List the rows that two jobs have side by side, the most changed first",
      querystring: CompareRowsQuery,
      response: ok(ComparedRowPage),
    }),
    async (request, reply) => {
      const { a, b, task, metric, sort, change, offset, limit } = request.query
      const others = (request.query.others ?? "").split(",").filter((id) => id !== "")
      const query = { task, metric, sort, change, others, offset, limit, ...filtersOf(request, reply) }
      return rows.compare(a, b, query, jobCallerOf(request))
    },
  )
}
