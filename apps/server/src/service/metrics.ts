import type { PacedInference } from "@assay/jobs/service"
import type { Registry as AssayRegistry } from "@assay/registry"
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client"
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

/** The services that metrics read, besides requests and the process. */
interface MetricSources {
  readonly registry: { readonly jobs: Pick<AssayRegistry["jobs"], "countUnended"> }
  readonly heldHosts: PacedInference["held"]
}

/** Maximum number of hosts with a label of their own: Prometheus keeps each label for long. */
const MAX_HOSTS = 100

/** Adds the jobs that have not ended, over all servers of the database. A database that does not respond leaves them out. */
function addJobs(register: Registry, { countUnended }: MetricSources["registry"]["jobs"]): void {
  const jobs = new Gauge({
    name: "assay_jobs",
    help: "Evaluation jobs that have not ended, by status, over all servers of the database.",
    labelNames: ["status"],
    registers: [register],
    async collect() {
      const found = await countUnended().catch(() => new Map<string, number>())
      jobs.reset()
      for (const [status, count] of found) jobs.set({ status }, count)
    },
  })
}

/** Adds the endpoints that limit requests of this process. */
function addHeldHosts(register: Registry, held: MetricSources["heldHosts"]): void {
  const add = (
    name: string,
    help: string,
    valueOf: (one: ReturnType<MetricSources["heldHosts"]>[number]) => number,
  ) => {
    const gauge = new Gauge({
      name,
      help,
      labelNames: ["host"],
      registers: [register],
      collect() {
        gauge.reset()
        for (const one of held().slice(0, MAX_HOSTS)) gauge.set({ host: one.host }, valueOf(one))
      },
    })
  }
  add(
    "assay_endpoint_requests_per_second",
    "Rate at which requests leave, if the endpoint limits requests: of all servers that share the database.",
    ({ requestsPerSecond }) => requestsPerSecond,
  )
  add(
    "assay_endpoint_requests_waiting",
    "Requests of this process that wait for their turn, because the endpoint limits requests.",
    ({ waiting }) => waiting,
  )
}

/**
 * Collects Prometheus metrics of the process, the duration of requests by method, route and status, jobs, and endpoints that limit
 * requests, and defines `GET /metrics`.
 */
export function installMetrics(app: App, { registry, heldHosts }: MetricSources): void {
  const register = new Registry()
  collectDefaultMetrics({ register })
  addJobs(register, registry.jobs)
  addHeldHosts(register, heldHosts)
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
