import { visibleWorkspaces } from "@assay/access"
import { clientSignal, EVENT_HEADERS } from "@assay/http/node"
import { ChangeEvent } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { FastifyRequest } from "fastify"
import { callerOf } from "../auth/access.ts"
import { sessionCookieOf } from "../auth/session-cookie.ts"
import type { App } from "../http/app.ts"
import { describeRoutes } from "../http/describe-routes.ts"
import { errorResponses } from "../http/route-schemas.ts"
import { sendPieces } from "../http/send-pieces.ts"
import { createStreamSlots } from "../http/stream-slots.ts"
import type { Services } from "../services.ts"
import { renewSession } from "../service/session-routes.ts"

/** Milliseconds between two events while nothing changes, so that a reader notices a lost server within 5 seconds. */
const BEAT_MS = 2000
/** Milliseconds after which the rights of a reader are read again. */
const RIGHTS_MS = 10_000
/** Milliseconds after which a stream ends. A browser reads the next one, which renews its session. */
const STREAM_MS = 600_000

const read = describeRoutes("service", { scope: "any" }, { isFrequent: true })

/** Defines the route with which a page learns what has changed, without asking again and again. */
export function changeRoutes(app: App, services: Services): void {
  const slots = createStreamSlots("changes")
  app.get(
    "/changes",
    {
      ...read({
        summary: "Follow what changes, as server-sent events",
        description:
          "Names the records of the caller's workspaces that anyone changes, through any server of the database. It ends after 10 minutes, and when the token does: continue with the id of the last event.",
        querystring: Type.Object({
          after: Type.Optional(Type.String({ maxLength: 100, description: "The id of the last event." })),
          once: Type.Boolean({ default: false, description: "Ends after the first event, which is sent at once." }),
        }),
        headers: Type.Object({ "last-event-id": Type.Optional(Type.String({ maxLength: 100 })) }),
        response: {
          200: {
            description:
              "Server-sent events. The fields of this record are the `id`, `event` and `data` of each event.",
            content: { "text/event-stream": { schema: ChangeEvent } },
          },
          ...errorResponses,
        },
      }),
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      // Before anything is awaited.
      using _slot = slots.take(request)
      const caller = callerOf(request)
      const cookie = sessionCookieOf(request.headers.cookie)
      if (cookie !== undefined && request.headers.authorization === undefined) {
        await renewSession(services, { request, reply, caller, cookie })
      }
      const signal = AbortSignal.any([clientSignal(reply.raw), services.stopping, AbortSignal.timeout(STREAM_MS)])
      return await sendPieces(reply, eventsFor(request, services, signal), EVENT_HEADERS)
    },
  )
}

/** Yields the events of a caller, as long as the token is valid. */
async function* eventsFor(
  request: FastifyRequest<{ Querystring: { after?: string; once: boolean } }>,
  services: Services,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const { "last-event-id": last } = request.headers
  const after = typeof last === "string" ? last : request.query.after
  let readAt = services.now()
  let caller = callerOf(request)
  const visible = async () => {
    if (services.now() - readAt >= RIGHTS_MS) {
      caller = await services.authenticate(request)
      readAt = services.now()
    }
    return visibleWorkspaces(caller)
  }
  try {
    for await (const { place, changes } of services.registry.changes.follow({
      after,
      visible,
      everyMs: BEAT_MS,
      signal,
    })) {
      const event = changes === undefined ? "refresh" : changes.length === 0 ? "beat" : "changes"
      yield `id: ${place}\nevent: ${event}\ndata: ${JSON.stringify({ changes: changes ?? [] })}\n\n`
      if (request.query.once) return
    }
  } catch (error) {
    // The reader learns why when it connects again.
    request.log.debug({ request: request.id, err: error }, "a stream of changes ended")
  }
}
