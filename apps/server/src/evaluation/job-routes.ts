import type { SteerJob } from "@assay/jobs/service"
import {
  ErrorBody,
  EvaluationJob,
  EvaluationJobPage,
  JobStatusAnswer,
  LaunchBody,
  LaunchCheckOutcome,
  LaunchCheckProgress,
  LaunchRefusal,
  presentJob,
  RescoreBody,
  RESTORABLE_UNTIL,
  ScoreBody,
  statusOfJob,
  UpdateJob,
  withStatusWord,
} from "@assay/schemas"
import { type Static, Type } from "@sinclair/typebox"
import { callerOf } from "../auth/access.ts"
import { refuseBody } from "../http/refuse-body.ts"
import type { App } from "../http/app.ts"
import { clientSignal, EVENT_HEADERS } from "@assay/http/node"
import { describeRoutes } from "../http/describe-routes.ts"
import { created, errorResponses, ok } from "../http/route-schemas.ts"
import { sendPieces } from "../http/send-pieces.ts"
import type { Services } from "../services.ts"
import { JobParameters, jobCallerOf, listingOf, ListingParameters, readBodyForms } from "./evaluation-requests.ts"

// The workspace of a job is known only after it is found. Rights are checked then.
const anybody = describeRoutes("evaluation", { scope: "any" })
// Somebody can write a key instead of its name. Errors must not repeat it.
const launch = describeRoutes("evaluation", { scope: "any" }, { hideInput: true })
const params = JobParameters
const job = { params, response: ok(EvaluationJob) }

const LaunchQuery = Type.Object({
  skip_validation_checks: Type.Optional(
    Type.String({
      pattern: "^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[01])?$",
      default: "false",
      description: "Launch the job without launch checks: true or false in any case, 1 or 0.",
    }),
  ),
})

const RemoveQuery = Type.Object({
  permanent: Type.Boolean({ default: false, description: "Whether the trash does not keep it." }),
})

const CheckQuery = Type.Object({
  plan: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        "Run only the checks that ask no model and write nothing, so that it can be called while somebody types.",
    }),
  ),
})

/** Defines the routes to launch, list, read, control and delete evaluation jobs. */
export function evaluationJobRoutes(app: App, services: Services): void {
  launchRoutes(app, services)
  rescoreRoute(app, services)
  jobRecordRoutes(app, services)
  jobStatusRoutes(app, services)
  steeringRoutes(app, services)
}

/** Defines the routes that launch a job, and that only check whether it can be launched. */
function launchRoutes(app: App, { evaluations, wireNames, defaultInferenceUrl }: Services): void {
  app.post(
    "/jobs",
    {
      ...launch({
        summary: "Launch an evaluation job after its launch checks",
        querystring: LaunchQuery,
        body: LaunchBody,
        response: { ...created(EvaluationJob), 400: Type.Union([LaunchRefusal, ErrorBody]) },
      }),
      preValidation: readBodyForms(defaultInferenceUrl),
    },
    async (request, reply) => {
      const launched = await evaluations.launch(request.body, {
        caller: jobCallerOf(request),
        skipChecks: skipsChecks(request.query),
        signal: clientSignal(reply.raw),
      })
      return reply.code(201).send(presentJob(launched, wireNames))
    },
  )
  app.post(
    "/jobs/check",
    {
      ...launch({
        summary: "Run the launch checks of a job without launching it; with `Accept: text/event-stream`, as they end",
        querystring: CheckQuery,
        body: LaunchBody,
        response: {
          200: {
            description:
              "The outcome. Server-sent events are `check`, when a check begins and when it has ended, and finally `outcome`.",
            content: {
              "application/json": { schema: LaunchCheckOutcome },
              "text/event-stream": { schema: LaunchCheckProgress },
            },
          },
          ...errorResponses,
        },
      }),
      preValidation: readBodyForms(defaultInferenceUrl),
    },
    async (request, reply) => {
      const { plan: isPlan = false } = request.query
      const options = { caller: jobCallerOf(request), signal: clientSignal(reply.raw), isPlan }
      const { accept = "" } = request.headers
      if (!accept.includes("text/event-stream")) return evaluations.check(request.body, options)
      const { streamChecks } = await import("@assay/jobs")
      const events = streamChecks((onCheck) => evaluations.check(request.body, { ...options, onCheck }))
      return sendPieces(reply, events, EVENT_HEADERS)
    },
  )
}

function skipsChecks({ skip_validation_checks: skip = "" }: Static<typeof LaunchQuery>): boolean {
  return skip === "1" || skip.toLowerCase() === "true"
}

function rescoreRoute(app: App, { evaluations, wireNames, defaultInferenceUrl }: Services): void {
  app.post(
    "/jobs/:id/rescore",
    {
      ...launch({
        summary: "Launch a job that scores the outputs of a job that has ended, without asking its target",
        params,
        querystring: LaunchQuery,
        body: RescoreBody,
        response: { ...created(EvaluationJob), 400: Type.Union([LaunchRefusal, ErrorBody]) },
      }),
      preValidation: readBodyForms(defaultInferenceUrl),
    },
    async (request, reply) => {
      const launched = await evaluations.rescore(request.params.id, request.body, {
        caller: jobCallerOf(request),
        skipChecks: skipsChecks(request.query),
        signal: clientSignal(reply.raw),
      })
      return reply.code(201).send(presentJob(launched, wireNames))
    },
  )
}

/** Defines the routes to list, read and delete the records of jobs. */
function jobRecordRoutes(app: App, { evaluations, wireNames }: Services): void {
  const present = (job: EvaluationJob) => presentJob(job, wireNames)
  app.get(
    "/jobs",
    anybody({
      summary: "List the jobs of all namespaces that the caller may see",
      querystring: ListingParameters,
      response: ok(EvaluationJobPage),
    }),
    async (request) => {
      const found = await evaluations.list(listingOf(request), jobCallerOf(request))
      return { ...found, data: found.data.map(present) }
    },
  )
  app.get(
    "/jobs/:id",
    anybody({ summary: "Get a job, with its target and configuration as they were at launch", ...job }),
    async (request) =>
      present(await evaluations.find(request.params.id, { caller: jobCallerOf(request), role: "viewer" })),
  )
  app.patch(
    "/jobs/:id",
    anybody({ summary: "Change the description, the project or the custom fields of a job", body: UpdateJob, ...job }),
    async (request) => present(await evaluations.update(request.params.id, request.body, jobCallerOf(request))),
  )
  app.delete(
    "/jobs/:id",
    anybody({
      summary: "Delete a job that has ended, and its results; the trash keeps them for some time",
      params,
      querystring: RemoveQuery,
      response: { 204: Type.Null(), ...errorResponses },
    }),
    async (request, reply) => {
      const caller = { ...jobCallerOf(request), name: callerOf(request).name }
      const { restorable_until: until } = await evaluations.remove(request.params.id, caller, request.query)
      if (until !== null) void reply.header(RESTORABLE_UNTIL, until)
      return reply.code(204).send(null)
    },
  )
}

function jobStatusRoutes(app: App, { evaluations, wireNames }: Services): void {
  for (const path of ["/jobs/:id/status", "/jobs/:id/status-details"]) {
    app.get(
      path,
      anybody({ summary: "Get the status and progress of a job", params, response: ok(JobStatusAnswer) }),
      async (request) => {
        const found = await evaluations.find(request.params.id, { caller: jobCallerOf(request), role: "viewer" })
        return withStatusWord(statusOfJob(found), wireNames)
      },
    )
  }
}

/** Defines the routes that change the course of a job. */
function steeringRoutes(app: App, { evaluations, wireNames }: Services): void {
  const present = (job: EvaluationJob) => presentJob(job, wireNames)
  const steer = (what: string, summary: string, act: SteerJob) =>
    app.post(`/jobs/:id/${what}`, { ...anybody({ summary, ...job }), preValidation: refuseBody }, async (request) =>
      present(await act(request.params.id, jobCallerOf(request))),
    )
  steer("cancel", "Stop a job; outputs so far are kept", evaluations.cancel)
  steer("resume", "Resume a job: ask the target about the rows without an output", evaluations.resume)
  steer("retry-failed", "Ask the target again about the rows that failed", evaluations.retryFailed)
  app.post(
    "/jobs/:id/score",
    launch({ summary: "Add metrics to a job that has ended, without asking its target", body: ScoreBody, ...job }),
    async (request) => present(await evaluations.score(request.params.id, request.body, jobCallerOf(request))),
  )
}
