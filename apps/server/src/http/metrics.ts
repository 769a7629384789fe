import { collectDefaultMetrics, Histogram, Registry } from "prom-client"
import type { App } from "../app.ts"
import { access } from "../auth/access.ts"

const SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60]

/** Prometheus metrics: those of the process, and the time of each route by method and status. */
export function installMetrics(app: App): void {
  const register = new Registry()
  collectDefaultMetrics({ register })
  const duration = new Histogram({
    name: "assay_http_request_duration_seconds",
    help: "Time from the first byte of a request to the last of its answer.",
    labelNames: ["method", "route", "status"],
    buckets: SECONDS,
    registers: [register],
  })
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "unknown"
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
  app.get(
    "/metrics",
    {
      config: access({ scope: "everywhere", role: "viewer" }),
      schema: { tags: ["service"], summary: "Prometheus metrics" },
    },
    async (_request, reply) => reply.type(register.contentType).send(await register.metrics()),
  )
}
