import { clientSignal, EVENT_HEADERS } from "@assay/http/node"
import { EvaluationResult, JobEvent, JobExplanation, withStatusWord, type EvaluationJob } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { App } from "../http/app.ts"
import { describeRoutes } from "../http/describe-routes.ts"
import { errorResponses, ok } from "../http/route-schemas.ts"
import { sendPieces } from "../http/send-pieces.ts"
import { createStreamSlots, type StreamSlots } from "../http/stream-slots.ts"
import type { Services } from "../services.ts"
import { JobParameters, jobCallerOf } from "./evaluation-requests.ts"

// The workspace of a job is known only after it is found. Rights are checked then.
const read = describeRoutes("evaluation", { scope: "any" })
const params = JobParameters
const MAX_LINES = 100_000
/** Bytes that an archive holds in memory: a piece of a file, and the next one. */
const ARCHIVE_BYTES = 2_097_152

/** Describes a response of bytes, which does not depend on the `accept` header. */
const bytes = (description: string, ...mediaTypes: readonly string[]) => ({
  description,
  content: Object.fromEntries(mediaTypes.map((type) => [type, { schema: Type.String({ format: "binary" }) }])),
})

const LogsQuery = Type.Object({
  format: Type.String({ pattern: "^(zip|text)$", default: "zip" }),
  tail: Type.Optional(
    Type.Integer({ minimum: 0, maximum: MAX_LINES, description: "Number of last lines to return; for text only." }),
  ),
  follow: Type.Boolean({ default: false, description: "Continue until the job has ended; for text only." }),
})

/** Stops proxies that would collect the whole response before they pass it on. */
const UNBUFFERED = { "x-accel-buffering": "no" }

/** Defines the routes for the outputs of a job: events, result, archive, logs, explanation. */
export function evaluationOutputRoutes(app: App, services: Services): void {
  const following: Following = { signalOf: endWithServer(app), slots: createStreamSlots("events and logs of jobs") }
  eventsRoute(app, services, following)
  resultRoutes(app, services)
  archiveRoute(app, services)
  logsRoute(app, services, following)
}

/** The parts that responses need which wait for a job. */
interface Following {
  /** Returns the signal that ends the work for a response. */
  readonly signalOf: (reply: FastifyReply) => AbortSignal
  readonly slots: StreamSlots
}

/**
 * Returns a signal for streams that wait for a job: they end with their client, and when the server begins to close, because they
 * would delay its end. Their clients reconnect to another server.
 */
function endWithServer(app: App): Following["signalOf"] {
  const closing = new AbortController()
  app.addHook("preClose", (done) => {
    closing.abort()
    done()
  })
  return (reply) => AbortSignal.any([clientSignal(reply.raw), closing.signal])
}

function eventsRoute(app: App, services: Services, { signalOf, slots }: Following): void {
  const { registry, wireNames } = services
  app.get(
    "/jobs/:id/events",
    {
      ...read({
        summary:
          "Follow the events of a job until it has ended, as server-sent events; `Last-Event-ID` continues after an event",
        params,
        headers: Type.Object({ "last-event-id": Type.Optional(Type.String()) }),
        response: {
          200: {
            description:
              "Server-sent events. The fields of this record are the `id`, `event` and `data` of each event.",
            content: { "text/event-stream": { schema: JobEvent } },
          },
          ...errorResponses,
        },
      }),
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      using _slot = slots.take(request)
      const { id } = await find(services, request)
      const after = lastEventOf(request)
      const { jobOutputs } = await import("@assay/jobs")
      const events = jobOutputs.followEvents(registry.jobs, id, { after, signal: signalOf(reply) })
      return await sendPieces(reply, jobOutputs.formatEvents(events, wireNames), EVENT_HEADERS)
    },
  )
}

/** Defines the routes for the result, and for what was found in a job. */
function resultRoutes(app: App, services: Services): void {
  const { registry, wireNames } = services
  app.get(
    "/jobs/:id/results",
    read({ summary: "Get the result of a job", params, response: ok(EvaluationResult) }),
    async (request) => {
      const job = await find(services, request)
      const { jobOutputs } = await import("@assay/jobs")
      const result = await jobOutputs.result(job, { registry, rights: jobCallerOf(request).rights })
      return jobOutputs.present(result, job.config, wireNames)
    },
  )
  app.get(
    "/jobs/:id/explain",
    read({
      summary: "Get the conditions that were found in a job, with evidence, remedy and the next command",
      params,
      response: ok(JobExplanation),
    }),
    async (request) => {
      const { explainJob } = await import("@assay/results")
      const job = await find(services, request)
      return withStatusWord({ ...explainJob(job), status: job.status }, wireNames)
    },
  )
}

function archiveRoute(app: App, services: Services): void {
  app.get(
    "/jobs/:id/download-results",
    {
      ...read({
        summary: "Get the results archive of a job that has ended, as a zip for every `accept` header",
        params,
        response: { 200: bytes("`config/` and `results/` of the job.", "application/zip"), ...errorResponses },
      }),
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const job = await find(services, request)
      const { jobOutputs } = await import("@assay/jobs")
      services.outgoing.hold(reply.raw, ARCHIVE_BYTES)
      return sendZip(reply, `${job.id}.zip`, await jobOutputs.archive(job, optionsOf(services, request, reply)))
    },
  )
}

function logsRoute(app: App, services: Services, { signalOf, slots }: Following): void {
  const { registry, outgoing } = services
  app.get(
    "/jobs/:id/logs",
    {
      ...read({
        summary: "Get the logs of a job as a zip, or as text",
        params,
        querystring: LogsQuery,
        response: {
          200: bytes("Every `*.log` of the job, or its log as text.", "application/zip", "text/plain"),
          ...errorResponses,
        },
      }),
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const job = await find(services, request)
      const { format, tail, follow } = request.query
      const { jobOutputs } = await import("@assay/jobs")
      if (format === "zip") {
        outgoing.hold(reply.raw, ARCHIVE_BYTES)
        return sendZip(
          reply,
          `${job.id}-logs.zip`,
          await jobOutputs.logArchive(job, optionsOf(services, request, reply)),
        )
      }
      using _slot = follow ? slots.take(request) : undefined
      const lines = jobOutputs.log(registry.jobs, job.id, { tail, isFollowed: follow, signal: signalOf(reply) })
      return await sendPieces(reply, lines, { "content-type": "text/plain; charset=utf-8", ...UNBUFFERED })
    },
  )
}

/** Finds the job in the path of a request. @throws `not_found` */
function find({ evaluations }: Services, request: FastifyRequest): Promise<EvaluationJob> {
  const { id } = request.params as { readonly id: string }
  return evaluations.find(id, { caller: jobCallerOf(request), role: "viewer" })
}

function optionsOf({ registry }: Services, request: FastifyRequest, reply: FastifyReply) {
  return { registry, rights: jobCallerOf(request).rights, signal: clientSignal(reply.raw) }
}

function sendZip(reply: FastifyReply, name: string, archive: AsyncIterable<Uint8Array>) {
  return sendPieces(reply, archive, {
    "content-type": "application/zip",
    "content-disposition": `attachment; filename="${name}"`,
    "x-content-type-options": "nosniff",
  })
}

/** Returns the number in `Last-Event-ID`, or 0 if it is not a number. */
function lastEventOf({ headers }: FastifyRequest): number {
  const last = headers["last-event-id"]
  return typeof last === "string" && /^\d{1,15}$/.test(last) ? Number(last) : 0
}
