import { clientSignal, EVENT_HEADERS } from "@assay/http/server"
import { EvaluationResult, JobEvent, JobExplanation, withStatusWord, type EvaluationJob } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { App } from "../http/app.ts"
import { describeRoutes } from "../http/describe-routes.ts"
import { errorResponses, ok } from "../http/route-schemas.ts"
import { sendPieces } from "../http/send-pieces.ts"
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
export function evaluationOutputRoutes(app: App, { registry, evaluations, wireNames, outgoing }: Services): void {
  const { jobs } = registry
  const load = () => import("@assay/jobs")
  const closing = new AbortController()
  // Ends streams that wait for a job, because they would delay the end of the server. Their clients reconnect to another server.
  app.addHook("preClose", (done) => {
    closing.abort()
    done()
  })
  const signalOf = (reply: FastifyReply) => AbortSignal.any([clientSignal(reply.raw), closing.signal])
  const find = (request: FastifyRequest): Promise<EvaluationJob> =>
    evaluations.find((request.params as { id: string }).id, { caller: jobCallerOf(request), role: "viewer" })
  const optionsOf = (request: FastifyRequest, reply: FastifyReply) => ({
    registry,
    rights: jobCallerOf(request).rights,
    signal: clientSignal(reply.raw),
  })
  const sendZip = (reply: FastifyReply, name: string, archive: AsyncIterable<Uint8Array>) =>
    sendPieces(reply, archive, {
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="${name}"`,
      "x-content-type-options": "nosniff",
    })

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
      const { id } = await find(request)
      const after = lastEventOf(request)
      const { followEvents, formatEvents } = await load()
      const events = followEvents(jobs, id, { after, signal: signalOf(reply) })
      return sendPieces(reply, formatEvents(events, wireNames), EVENT_HEADERS)
    },
  )
  app.get(
    "/jobs/:id/results",
    read({ summary: "Get the result of a job", params, response: ok(EvaluationResult) }),
    async (request) => {
      const job = await find(request)
      const { presentResult, resultOf } = await load()
      const result = await resultOf(job, { registry, rights: jobCallerOf(request).rights })
      return presentResult(result, job.config, wireNames)
    },
  )
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
      const job = await find(request)
      const { archiveOf } = await load()
      outgoing.hold(reply.raw, ARCHIVE_BYTES)
      return sendZip(reply, `${job.id}.zip`, await archiveOf(job, optionsOf(request, reply)))
    },
  )
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
      const job = await find(request)
      const { format, tail, follow } = request.query
      const { jobLog, logArchiveOf } = await load()
      if (format === "zip") {
        outgoing.hold(reply.raw, ARCHIVE_BYTES)
        return sendZip(reply, `${job.id}-logs.zip`, await logArchiveOf(job, optionsOf(request, reply)))
      }
      const lines = jobLog(jobs, job.id, { tail, isFollowed: follow, signal: signalOf(reply) })
      return sendPieces(reply, lines, { "content-type": "text/plain; charset=utf-8", ...UNBUFFERED })
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
      const job = await find(request)
      return withStatusWord({ ...explainJob(job), status: job.status }, wireNames)
    },
  )
}

/** Returns the number in `Last-Event-ID`, or 0 if it is not a number. */
function lastEventOf({ headers }: FastifyRequest): number {
  const last = headers["last-event-id"]
  return typeof last === "string" && /^\d{1,15}$/.test(last) ? Number(last) : 0
}
