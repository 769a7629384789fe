import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { setTimeout as wait } from "node:timers/promises"

/** A server in front of Assay that sends the events, the log and the scores of every job itself, for a given number of events. */
export interface EventProxy {
  readonly url: string
  /** Sends further events, and returns when they were sent. */
  send(count: number): Promise<void>
  close(): Promise<void>
}

/** Events come in groups, as those of a busy job. */
const GROUP = 50
const GROUP_MS = 60

/** Starts the proxy. All other requests go to `target`. */
export async function startEventProxy(target: string): Promise<EventProxy> {
  const followers = new Set<ServerResponse>()
  let sent = 0

  const follow = (response: ServerResponse) => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.write(": \n\n")
    followers.add(response)
    response.once("close", () => followers.delete(response))
  }
  const forward = (incoming: IncomingMessage, response: ServerResponse) => {
    const { method, headers, url = "/" } = incoming
    const outgoing = request(`${target}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    outgoing.once("error", () => response.destroy())
    response.once("close", () => outgoing.destroy())
    incoming.pipe(outgoing)
  }
  const server = createServer((incoming, response) => {
    const [, part] = /^\/v1\/evaluation\/jobs\/[^/]+\/(events|logs|distribution)\b/u.exec(incoming.url ?? "") ?? []
    if (part === "events") follow(response)
    else if (part === "logs") response.writeHead(200, { "content-type": "text/plain" }).end(logUpTo(sent))
    else if (part === "distribution") {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(scoresUpTo(sent)))
    } else forward(incoming, response)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async send(count) {
      while (followers.size === 0) await wait(GROUP_MS)
      for (const end = sent + count; sent < end;) {
        const size = Math.min(GROUP, end - sent)
        const group = Array.from({ length: size }, (_, place) => eventOf(sent + place + 1)).join("")
        for (const follower of followers) follower.write(group)
        sent += size
        await wait(GROUP_MS)
      }
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

/** Returns the lines of the last events, as many as the page of a job shows. */
function logUpTo(last: number): string {
  const first = Math.max(1, last - 2 * LOG_LINES)
  return Array.from({ length: last - first }, (_, place) => first + place)
    .filter(isLogged)
    .map((id) => `2026-11-20T08:14:03.120Z info ${rateLimitMessage(id)}\n`)
    .join("")
}

function scoresUpTo(count: number): object {
  const mean = (count % 100) / 100
  const interval = { low: mean - 0.01, high: mean + 0.01, confidence: 0.95, method: "wilson" }
  return { metric: "right.string-check", task: "capitals", count, nan_count: 0, mean, interval, histogram: null }
}

const LOG_LINES = 2000
const ROWS = 100_000
/** After this many events, the status of the job is sent again, and the page reads its record. */
const STATUS_EVERY = 500

function eventOf(id: number): string {
  if (id % STATUS_EVERY === 0) return formatEvent(id, "status", { status: "RUNNING" })
  if (isLogged(id)) return formatEvent(id, "log", { level: "info", message: rateLimitMessage(id) })
  return formatEvent(id, "progress", {
    samples_processed: id,
    samples_total: ROWS,
    samples_failed: 0,
    tokens: { prompt: id * 60, completion: id * 12 },
    means: { "capitals.right.string-check": (id % 100) / 100 },
  })
}

function isLogged(id: number): boolean {
  return id % 2 === 0
}

function rateLimitMessage(id: number): string {
  return `Task capitals, row ${id}: the endpoint limits the rate.`
}

function formatEvent(id: number, event: string, data: object): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
