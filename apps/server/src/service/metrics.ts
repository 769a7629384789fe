import { collectDefaultMetrics, Histogram, Registry } from "prom-client"
import type { App } from "../http/app.ts"
import { access } from "../auth/access.ts"

const SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60]

/** The histogram of each method, route and status, found by one look-up: labels given anew are sorted and joined each time. */
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
  const time = createTimer(duration)
  app.addHook("onResponse", (request, reply, done) => {
    time(request.method, request.routeOptions.url ?? "unknown", reply.statusCode, reply.elapsedTime)
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
