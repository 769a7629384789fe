import { AddedLabels, DrawnBy, LabelPage, LabelQueue, LabelReport, LabelsBody, RowsToLabel } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { App } from "../http/app.ts"
import { describeRoutes } from "../http/describe-routes.ts"
import { ok } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"
import { JobParameters, jobCallerOf } from "./evaluation-requests.ts"

// The workspace of a job is known only after it is found. Rights are checked then.
const describe = describeRoutes("evaluation", { scope: "any" })

const LabelsQuery = Type.Object({
  metric: Type.String({ minLength: 1, description: "`<metric>.<score>`, or `<metric>` if it has one score." }),
  fileset: Type.Optional(
    Type.String({
      minLength: 1,
      description: "The fileset with the labels. Default: `labels` in the job's workspace.",
    }),
  ),
})
const QueueQuery = Type.Object({
  ...LabelsQuery.properties,
  by: DrawnBy,
  seed: Type.Integer({
    default: 1,
    minimum: 0,
    maximum: 2 ** 31 - 1,
    description: "The same seed draws the same rows in the same order.",
  }),
  limit: Type.Integer({ default: 20, minimum: 1, maximum: 1000 }),
  rows: RowsToLabel,
  author: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: "Who labels: rows that this author labelled, or was unsure about, are left out.",
    }),
  ),
})

/** Defines the routes for labels of people, and what they say about a judge. */
export function labelRoutes(app: App, { evaluations: { labels } }: Services): void {
  app.put(
    "/jobs/:id/labels",
    describe({
      summary: "Add labels of people to rows of a job",
      params: JobParameters,
      body: LabelsBody,
      response: ok(AddedLabels),
    }),
    async (request) => labels.add(request.params.id, request.body, jobCallerOf(request)),
  )
  app.get(
    "/jobs/:id/labels",
    describe({
      summary: "List the labels of a score that belong to rows of a job",
      params: JobParameters,
      querystring: LabelsQuery,
      response: ok(LabelPage),
    }),
    async (request) => labels.list(request.params.id, request.query, jobCallerOf(request)),
  )
  app.get(
    "/jobs/:id/labels/next",
    describe({
      summary: "Draw the rows of a job that people should label next",
      params: JobParameters,
      querystring: QueueQuery,
      response: ok(LabelQueue),
    }),
    async (request) => labels.queue(request.params.id, request.query, jobCallerOf(request)),
  )
  app.get(
    "/jobs/:id/labels/report",
    describe({
      summary: "Compare a judge with labels of people, and correct its mean by them",
      params: JobParameters,
      querystring: LabelsQuery,
      response: ok(LabelReport),
    }),
    async (request) => labels.report(request.params.id, request.query, jobCallerOf(request)),
  )
}
