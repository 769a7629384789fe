import { collectDefaultMetrics, Histogram, Registry } from "prom-client"
import { access } from "../auth/access.ts"
import type { App } from "../http/app.ts"

const SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60]

/** Returns a function that records a duration. It caches the histogram per method, route and status: prom-client sorts and joins labels on each call. */
function createTimer(duration: Histogram<"method" | "route" | "status">) {
  const children = new Map<string, Histogram.Internal<"method" | "route" | "status">>()
  return (method: string, route: string, status: number, milliseconds: number) => {
    const key = `${method} ${status} ${route}`
    let child = children.get(key)
    if (child === undefined) {
      child = duration.labels(method, route, String(status))
      children.set(key, child)
    }
    child.observe(milliseconds / 1000)
  }
}

/** Collects Prometheus metrics of the process and the duration of requests by method, route and status, and defines `GET /metrics`. */
export function installMetrics(app: App): void {
  const register = new Registry()
  collectDefaultMetrics({ register })
  const duration = new Histogram({
    name: "assay_http_request_duration_seconds",
    help: "Time from the first byte of a request to the last byte of its response.",
    labelNames: ["method", "route", "status"],
    buckets: SECONDS,
    registers: [register],
  })
  const time = createTimer(duration)
  app.addHook("onResponse", (request, reply, done) => {
    time(request.method, request.routeOptions.url ?? "unknown", reply.statusCode, reply.elapsedTime)
    done()
  })
  app.get(
    "/metrics",
    {
      config: access({ scope: "everywhere", role: "viewer" }),
      schema: { tags: ["service"], summary: "Get metrics for Prometheus" },
    },
    async (_request, reply) => reply.type(register.contentType).send(await register.metrics()),
  )
}
