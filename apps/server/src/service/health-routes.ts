import { AssayError, ClusterInfo, ErrorBody, messageOf, ServiceStatus } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import { access } from "../auth/access.ts"
import type { App } from "../http/app.ts"
import { ok } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"

const tags = ["service"]
const open = access({ scope: "public" })

const Health = Type.Object({ status: Type.String() }, { $id: "Health" })
const Readiness = Type.Object(
  {
    status: Type.String(),
    details: Type.Optional(
      Type.Object({
        clock: Type.String({
          description: "Present if the clocks of this machine and of a shared database differ by more than 2 s.",
        }),
      }),
    ),
  },
  { $id: "Readiness" },
)

/** Defines the routes for health, status and version. */
export function healthRoutes(app: App, services: Services): void {
  const { registry, version, revision } = services
  app.get(
    "/health/live",
    { config: open, schema: { tags, summary: "Check that the process responds", response: { 200: Health } } },
    () => ({ status: "live" }),
  )
  const ready = {
    config: open,
    schema: {
      tags,
      summary:
        "Check that the database responds, the default storage accepts a write, and the server is not being stopped",
      response: { 200: Readiness, 503: ErrorBody },
    },
  }
  app.get("/health", ready, () => checkReadiness(services))
  app.get("/health/ready", ready, () => checkReadiness(services))
  app.get(
    "/status",
    {
      config: access({ scope: "any" }),
      schema: { tags, summary: "Get the status with its checks", response: ok(ServiceStatus) },
    },
    async () => {
      const fault = await registry.checkReady().then(
        () => undefined,
        (error: Error) => error.message,
      )
      const check = fault === undefined ? { ok: true } : { ok: false, detail: fault }
      const clock = fault === undefined ? await registry.checkClock() : undefined
      return {
        status: fault === undefined ? "healthy" : "unhealthy",
        version,
        checks: {
          registry: check,
          ...(clock === undefined ? {} : { clock: { ok: false, detail: clock } }),
          ...(await checkProvider(services)),
        },
      }
    },
  )
  app.get(
    "/cluster-info",
    {
      config: access({ scope: "any" }),
      schema: { tags, summary: "Get the version and the revision", response: ok(ClusterInfo) },
    },
    () => ({ platform_version: version, revision }),
  )
}

/** @throws `unavailable` if the server must not get requests now */
async function checkReadiness({ registry, stopping }: Services) {
  if (stopping.aborted) throw new AssayError("unavailable", "The server is stopping; use another one.")
  try {
    await registry.checkReady()
    const clock = await registry.checkClock()
    return clock === undefined ? { status: "ready" } : { status: "ready", details: { clock } }
  } catch (error) {
    throw new AssayError("unavailable", `The server is not ready: ${(error as Error).message}`, { cause: error })
  }
}

/** Asks the identity provider. A server without it is healthy: its own tokens stay valid. */
async function checkProvider({ identityProvider }: Services): Promise<ServiceStatus["checks"]> {
  if (identityProvider === undefined) return {}
  const check = await identityProvider.check().then(
    () => ({ ok: true }),
    (error: unknown) => ({ ok: false, detail: messageOf(error) }),
  )
  return { identity_provider: check }
}
