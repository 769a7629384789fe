import { EvaluationResult, JobEvent, JobExplanation, type EvaluationJob, type JobStatus } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { App } from "../app.ts"
import { access, callerOf } from "../auth/access.ts"
import { findJob, rightsOfCaller } from "../evaluation/caller-rights.ts"
import { loadEvaluation } from "../evaluation/load-evaluation.ts"
import { statusWord, vendorResult, withStatusWord } from "../evaluation/present-job.ts"
import { EVENT_STREAM_HEADERS, eventStream, sendPieces } from "../evaluation/send-pieces.ts"
import { clientSignal } from "../http/client-signal.ts"
import { errorResponses } from "../http/error-responses.ts"
import type { Services } from "../services.ts"
import { JobParameters } from "./evaluation-jobs.ts"

const tags = ["evaluation"]
// A job tells its namespace when it is found: rights are checked then.
const config = access({ scope: "any" })
const MAX_LINES = 100_000
/** What an archive has in memory: a piece of a file, and the next one. */
const ARCHIVE_BYTES = 2_097_152

/** An answer of bytes; clients ask for it with whatever `accept` they always send. */
const bytes = (description: string, ...mediaTypes: readonly string[]) => ({
  description,
  content: Object.fromEntries(mediaTypes.map((type) => [type, { schema: Type.String({ format: "binary" }) }])),
})

const LogsQuery = Type.Object({
  format: Type.String({ pattern: "^(zip|text)$", default: "zip" }),
  tail: Type.Optional(
    Type.Integer({ minimum: 0, maximum: MAX_LINES, description: "The last so many lines; of text alone." }),
  ),
  follow: Type.Boolean({ default: false, description: "Goes on until the job has ended; of text alone." }),
})

/** What a job tells and leaves behind: events, result, archive, logs, explanation. */
export function evaluationOutputRoutes(app: App, { registry, wireNames, outgoing }: Services): void {
  const { jobs } = registry
  const closing = new AbortController()
  // Streams that wait for a job would hold up the end of the server; their clients go on with the next one.
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
        summary: "What happens in a job until it has ended, as server-sent events; `Last-Event-ID` goes on after one",
        params: JobParameters,
        headers: Type.Object({ "last-event-id": Type.Optional(Type.String()) }),
        response: {
          200: {
            description: "Server-sent events: each has the fields of this as its `id`, `event` and `data`.",
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
        summary: "The result of a job",
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
        summary: "The results archive of a job that has ended, as a zip, whatever `accept` says",
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
        summary: "The logs of a job as a zip, or as text",
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
        summary: "The conditions that were found in a job, with evidence and remedy, and what to run next",
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

/** Whatever is no number of an event begins at the start. */
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
