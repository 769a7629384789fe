import type { PacedInference } from "@assay/jobs/service"
import type { Registry } from "@assay/registry"
import type { Instrument, Telemetry } from "@assay/telemetry"

interface MeasuredSources {
  readonly registry: { readonly jobs: Pick<Registry["jobs"], "countUnended"> }
  readonly heldHosts: PacedInference["held"]
}

/** Maximum number of hosts with a label of their own. */
const MAX_HOSTS = 100

/** Measures jobs that have not ended and endpoints that limit requests, as `GET /metrics` does. */
export function measureJobs(telemetry: Telemetry | undefined, { registry, heldHosts }: MeasuredSources): void {
  if (telemetry === undefined) return
  telemetry.gauge(
    {
      name: "assay.jobs",
      description: "Evaluation jobs that have not ended, over all servers of the database.",
      unit: "{job}",
    },
    async () =>
      [...(await registry.jobs.countUnended())].map(([status, value]) => ({
        value,
        attributes: { "assay.job.status": status },
      })),
  )
  const addHosts = (instrument: Instrument, valueOf: (one: ReturnType<typeof heldHosts>[number]) => number) =>
    telemetry.gauge(instrument, async () =>
      heldHosts()
        .slice(0, MAX_HOSTS)
        .map((one) => ({ value: valueOf(one), attributes: { "server.address": one.host } })),
    )
  addHosts(
    {
      name: "assay.endpoint.request.rate",
      description: "Rate at which requests of this process leave, if the endpoint limits requests.",
      unit: "{request}/s",
    },
    ({ requestsPerSecond }) => requestsPerSecond,
  )
  addHosts(
    {
      name: "assay.endpoint.request.waiting",
      description: "Requests of this process that wait for their turn, because the endpoint limits requests.",
      unit: "{request}",
    },
    ({ waiting }) => waiting,
  )
}
