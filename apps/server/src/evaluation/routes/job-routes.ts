import { clientSignal } from "@assay/http/server"
import type { Role } from "@assay/registry/tokens"
import {
  EvaluationJob,
  EvaluationJobPage,
  JobStatusAnswer,
  LaunchBody,
  LaunchRefusal,
  ErrorBody,
  ScoreBody,
  type ListingSort,
} from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { FastifyRequest } from "fastify"
import { access, callerOf } from "../../auth/access.ts"
import type { App } from "../../http/app.ts"
import { errorResponses } from "../../http/route-schemas.ts"
import type { Services } from "../../services.ts"
import { findJob } from "../caller-rights.ts"
import { ListingParameters, queryPairs, listJobs } from "../list-jobs.ts"
import { presentJob, withStatusWord, statusOfJob } from "../present-job.ts"
import { readEvaluationBody } from "../read-body.ts"

const tags = ["evaluation"]
// The workspace of a job is known only after it is found. Rights are checked then.
const anybody = access({ scope: "any" })
// Somebody can write a key in place of its name. Errors must not repeat it.
const launching = { ...anybody, hideInput: true }

export const JobParameters = Type.Object({ id: Type.String() })

const LaunchQuery = Type.Object({
  skip_validation_checks: Type.Optional(
    Type.String({
      pattern: "^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[01])?$",
      default: "false",
      description: "Launch the job without launch checks: true or false in any case, 1 or 0.",
    }),
  ),
})

/** Defines the routes to launch, list, read, control and delete evaluation jobs. */
export function evaluationJobRoutes(
  app: App,
  { registry, evaluations, wireNames, defaultInferenceUrl }: Services,
): void {
  const { jobs } = evaluations
  const present = (job: EvaluationJob) => presentJob(job, wireNames)
  const find = (request: FastifyRequest, role: Role) =>
    findJob(registry, (request.params as { id: string }).id, { caller: callerOf(request), role })

  app.post(
    "/jobs",
    {
      config: launching,
      preValidation: (request, _reply, done) => {
        request.body = readEvaluationBody(request.body, defaultInferenceUrl)
        done()
      },
      schema: {
        tags,
        summary: "Launch an evaluation job after its launch checks",
        querystring: LaunchQuery,
        body: LaunchBody,
        response: { 201: EvaluationJob, ...errorResponses, 400: Type.Union([LaunchRefusal, ErrorBody]) },
      },
    },
    async (request, reply) => {
      const { skip_validation_checks: skip = "" } = request.query
      const job = await evaluations.launch(request.body, {
        caller: callerOf(request),
        skipChecks: skip === "1" || skip.toLowerCase() === "true",
        signal: clientSignal(reply.raw),
      })
      return reply.code(201).send(present(job))
    },
  )
  app.get(
    "/jobs",
    {
      config: anybody,
      schema: {
        tags,
        summary: "List the jobs of all namespaces that the caller may see",
        querystring: ListingParameters,
        response: { 200: EvaluationJobPage, ...errorResponses },
      },
    },
    async (request) => {
      const { page, page_size, sort } = request.query as { page: number; page_size: number; sort: ListingSort }
      const parameters = queryPairs(request.query)
      const found = await listJobs(registry, { page, page_size, sort, parameters }, callerOf(request))
      return { ...found, data: found.data.map(present) }
    },
  )
  app.get(
    "/jobs/:id",
    {
      config: anybody,
      schema: {
        tags,
        summary: "Get a job, with its target and configuration as they were at launch",
        params: JobParameters,
        response: { 200: EvaluationJob, ...errorResponses },
      },
    },
    async (request) => present(await find(request, "viewer")),
  )
  app.delete(
    "/jobs/:id",
    {
      config: anybody,
      schema: {
        tags,
        summary: "Delete a job that has ended, and its results",
        params: JobParameters,
        response: { 204: Type.Null(), ...errorResponses },
      },
    },
    async (request, reply) => {
      const { id } = await find(request, "editor")
      await jobs.remove(id)
      return reply.code(204).send(null)
    },
  )
  for (const path of ["/jobs/:id/status", "/jobs/:id/status-details"]) {
    app.get(
      path,
      {
        config: anybody,
        schema: {
          tags,
          summary: "Get the status and progress of a job",
          params: JobParameters,
          response: { 200: JobStatusAnswer, ...errorResponses },
        },
      },
      async (request) => withStatusWord(statusOfJob(await find(request, "viewer")), wireNames),
    )
  }

  const steer = (what: string, summary: string, act: (id: string) => Promise<EvaluationJob>) =>
    app.post(
      `/jobs/:id/${what}`,
      {
        config: anybody,
        schema: { tags, summary, params: JobParameters, response: { 200: EvaluationJob, ...errorResponses } },
      },
      async (request) => present(await act((await find(request, "editor")).id)),
    )
  steer("cancel", "Stop a job; outputs so far are kept", jobs.cancel)
  steer("resume", "Resume a job: ask the target about the rows without an output", jobs.resume)
  steer("retry-failed", "Ask the target again about the rows that failed", jobs.retryFailed)
  app.post(
    "/jobs/:id/score",
    {
      config: launching,
      schema: {
        tags,
        summary: "Add metrics to a job that has ended, without asking its target",
        params: JobParameters,
        body: ScoreBody,
        response: { 200: EvaluationJob, ...errorResponses },
      },
    },
    async (request) => present(await evaluations.score(await find(request, "editor"), request.body, callerOf(request))),
  )
}
