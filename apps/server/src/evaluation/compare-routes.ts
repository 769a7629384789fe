import { Comparison, numberField, PairLabelQueue } from "@assay/schemas"
import { jobComparison } from "@assay/results"
import { Type } from "@sinclair/typebox"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { App } from "../http/app.ts"
import { clientSignal } from "@assay/http/node"
import { describeRoutes } from "../http/describe-routes.ts"
import { ok } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"
import { jobCallerOf } from "./evaluation-requests.ts"

const compare = describeRoutes("evaluation", { scope: "any" })

const CompareQuery = Type.Object({
  jobs: Type.String({ minLength: 1, description: "Job ids, separated by commas. The first job is the baseline." }),
  margin: numberField("margin", {
    default: 0,
    description: "Amount by which a score may be worse than the baseline and still pass.",
  }),
  allow_changed: Type.Boolean({
    default: false,
    description: "Decide although a metric or a judge differs between the jobs.",
  }),
  corrected: Type.Boolean({
    default: false,
    description:
      "Decide scores of judges, and scores with labels, by the difference that people would see. It is in `corrected` of each pair.",
  }),
  labels: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 400,
      description:
        "With `corrected`: the fileset with the labels. Default: `labels` in the workspace of the first job.",
    }),
  ),
})

const PairsQuery = Type.Object({
  ...Type.Omit(CompareQuery, ["corrected"]).properties,
  jobs: Type.String({ minLength: 1, description: "Two job ids, separated by a comma. The first job is the baseline." }),
  metric: Type.String({ minLength: 1, description: "`<metric>.<score>`, or `<metric>` if it has one score." }),
  task: Type.Optional(Type.String({ minLength: 1, description: "The task of the score, if several have it." })),
  seed: Type.Integer({
    default: 1,
    minimum: 0,
    maximum: 2 ** 31 - 1,
    description: "The same seed draws the same rows in the same order.",
  }),
  limit: Type.Integer({ default: 20, minimum: 1, maximum: 1000, description: "Number of pairs of rows." }),
})

/** Returns the ids in a list, each once. */
function idsOf(jobs: string): readonly string[] {
  const ids = jobs.split(",").map((id) => id.trim())
  return [...new Set(ids.filter((id) => id !== ""))]
}

/** Defines the routes that compare jobs, and those that ask people about two of them. */
export function compareRoutes(app: App, { registry, evaluations }: Services): void {
  const inThreads = jobComparison.createThreads()
  const portsOf = (request: FastifyRequest, reply: FastifyReply) => {
    const caller = jobCallerOf(request)
    return {
      registry,
      compare: inThreads,
      rights: caller.rights,
      signal: clientSignal(reply.raw),
      findJob: async (id: string) => evaluations.find(id, { caller, role: "viewer" }),
      readLabels: async (baseline: string, labels: string | undefined) =>
        evaluations.labels.read(baseline, labels, caller),
    }
  }
  app.get(
    "/compare",
    {
      ...compare({
        summary: "Compare jobs with the first of them, row by row",
        querystring: CompareQuery,
        response: ok(Comparison),
      }),
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const { jobs, margin, allow_changed: allowChanged, corrected, labels } = request.query
      const { readLabels, ...ports } = portsOf(request, reply)
      const { jobOutputs } = await import("@assay/jobs")
      return jobOutputs.compare(idsOf(jobs), {
        ...ports,
        margin,
        allowChanged,
        readLabels: corrected ? (baseline) => readLabels(baseline, labels) : undefined,
      })
    },
  )
  app.get(
    "/compare/labels/next",
    {
      ...compare({
        summary: "Draw the rows of two jobs that people should label next, until their comparison is decided",
        querystring: PairsQuery,
        response: ok(PairLabelQueue),
      }),
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const { jobs, margin, labels, allow_changed: allowChanged, ...query } = request.query
      const { readLabels, ...ports } = portsOf(request, reply)
      const { jobOutputs } = await import("@assay/jobs")
      return jobOutputs.queuePairs(idsOf(jobs), {
        ...ports,
        margin,
        queue: { ...query, allowChanged },
        readLabels: (baseline) => readLabels(baseline, labels),
      })
    },
  )
}
