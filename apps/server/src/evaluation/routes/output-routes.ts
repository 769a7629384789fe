import { clientSignal } from "@assay/http/server"
import { EvaluationResult, JobEvent, JobExplanation, type EvaluationJob, type JobStatus } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { FastifyReply, FastifyRequest } from "fastify"
import { access, callerOf } from "../../auth/access.ts"
import type { App } from "../../http/app.ts"
import { errorResponses } from "../../http/route-schemas.ts"
import type { Services } from "../../services.ts"
import { findJob, rightsOfCaller } from "../caller-rights.ts"
import { loadEvaluation } from "../load-evaluation.ts"
import { statusWord, vendorResult, withStatusWord } from "../present-job.ts"
import { EVENT_STREAM_HEADERS, eventStream, sendPieces } from "../send-pieces.ts"
import { JobParameters } from "./job-routes.ts"

const tags = ["evaluation"]
// The workspace of a job is known only after it is found. Rights are checked then.
const config = access({ scope: "any" })
const MAX_LINES = 100_000
/** Bytes that an archive holds in memory: a piece of a file, and the next one. */
const ARCHIVE_BYTES = 2_097_152

/** Describes a response of bytes. It is sent whatever the `accept` header says. */
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

/** Defines the routes for the outputs of a job: events, result, archive, logs, explanation. */
export function evaluationOutputRoutes(app: App, { registry, wireNames, outgoing }: Services): void {
  const { jobs } = registry
  const closing = new AbortController()
  // Ends streams that wait for a job, which would delay the end of the server. Their clients reconnect to another server.
  app.addHook("preClose", (done) => {
    closing.abort()
    done()
  })
  const signalOf = (reply: FastifyReply) => AbortSignal.any([clientSignal(reply.raw), closing.signal])
  const find = (request: FastifyRequest): Promise<EvaluationJob> =>
    findJob(registry, (request.params as { id: string }).id, { caller: callerOf(request), role: "viewer" })
  const optionsOf = (request: FastifyRequest, reply: FastifyReply) => ({
    registry,
    rights: rightsOfCaller(callerOf(request)),
    signal: clientSignal(reply.raw),
  })

  function inWords(event: JobEvent): JobEvent {
    if (event.event !== "status") return event
    return { ...event, data: { ...event.data, status: statusWord(event.data["status"] as JobStatus, wireNames) } }
  }

  app.get(
    "/jobs/:id/events",
    {
      config,
      exposeHeadRoute: false,
      schema: {
        tags,
        summary:
          "Follow the events of a job until it has ended, as server-sent events; `Last-Event-ID` continues after an event",
        params: JobParameters,
        headers: Type.Object({ "last-event-id": Type.Optional(Type.String()) }),
        response: {
          200: {
            description:
              "Server-sent events. The fields of this record are the `id`, `event` and `data` of each event.",
            content: { "text/event-stream": { schema: JobEvent } },
          },
          ...errorResponses,
        },
      },
    },
    async (request, reply) => {
      const { id } = await find(request)
      const after = lastEventOf(request)
      const { followEvents, jobEventOf } = await loadEvaluation()
      const events = followEvents(jobs, id, { after, signal: signalOf(reply) })
      async function* told() {
        for await (const event of events) yield event === undefined ? undefined : inWords(jobEventOf(event))
      }
      return sendPieces(reply, eventStream(told()), EVENT_STREAM_HEADERS)
    },
  )
  app.get(
    "/jobs/:id/results",
    {
      config,
      schema: {
        tags,
        summary: "Get the result of a job",
        params: JobParameters,
        response: { 200: EvaluationResult, ...errorResponses },
      },
    },
    async (request) => {
      const job = await find(request)
      const { resultOf } = await loadEvaluation()
      const result = await resultOf(job, { registry, rights: rightsOfCaller(callerOf(request)) })
      return wireNames === "vendor" ? vendorResult(result, job.config) : result
    },
  )
  app.get(
    "/jobs/:id/download-results",
    {
      config,
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: "Get the results archive of a job that has ended, as a zip for every `accept` header",
        params: JobParameters,
        response: { 200: bytes("`config/` and `results/` of the job.", "application/zip"), ...errorResponses },
      },
    },
    async (request, reply) => {
      const job = await find(request)
      const { archiveOf } = await loadEvaluation()
      outgoing.hold(reply.raw, ARCHIVE_BYTES)
      return sendPieces(reply, await archiveOf(job, optionsOf(request, reply)), zipHeaders(`${job.id}.zip`))
    },
  )
  app.get(
    "/jobs/:id/logs",
    {
      config,
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: "Get the logs of a job as a zip, or as text",
        params: JobParameters,
        querystring: LogsQuery,
        response: {
          200: bytes("Every `*.log` of the job, or its log as text.", "application/zip", "text/plain"),
          ...errorResponses,
        },
      },
    },
    async (request, reply) => {
      const job = await find(request)
      const { format, tail, follow } = request.query
      const { jobLog, logArchiveOf } = await loadEvaluation()
      if (format === "zip") {
        outgoing.hold(reply.raw, ARCHIVE_BYTES)
        const archive = await logArchiveOf(job, optionsOf(request, reply))
        return sendPieces(reply, archive, zipHeaders(`${job.id}-logs.zip`))
      }
      const lines = jobLog(jobs, job.id, { tail, isFollowed: follow, signal: signalOf(reply) })
      return sendPieces(reply, lines, { "content-type": "text/plain; charset=utf-8", "x-accel-buffering": "no" })
    },
  )
  app.get(
    "/jobs/:id/explain",
    {
      config,
      schema: {
        tags,
        summary: "Get the conditions that were found in a job, with evidence, remedy and the next command",
        params: JobParameters,
        response: { 200: JobExplanation, ...errorResponses },
      },
    },
    async (request) => {
      const { explainJob } = await loadEvaluation()
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

function zipHeaders(name: string): Record<string, string> {
  return {
    "content-type": "application/zip",
    "content-disposition": `attachment; filename="${name}"`,
    "x-content-type-options": "nosniff",
  }
}
