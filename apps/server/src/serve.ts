import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { openDataFolder, sweepStaging } from "@assay/backup"
import type { Registry } from "@assay/registry"
import { buildApp } from "./build-app.ts"
import type { App } from "./http/app.ts"
import { checkListening, listen } from "./http/connections.ts"
import { trackConnections } from "./http/end-connections.ts"
import { localStorageFolder, looseModesOf } from "./settings/settings-paths.ts"
import { createSweeper } from "./maintenance/hourly-sweeper.ts"
import { openServices } from "./open-services.ts"
import { openServerWebhooks } from "./outbound/open-server-webhooks.ts"
import { openSettingsRegistry } from "./open-settings-registry.ts"
import type { ServerContext } from "./server-context.ts"
import { openServerTelemetry } from "./service/open-server-telemetry.ts"
import type { ServerRole } from "./settings/settings-schema.ts"
import { createCompilers } from "./validation/compilers.ts"

const UPLOAD_LIFETIME_MS = 24 * 60 * 60_000

export interface RunningServer {
  readonly url: string
  readonly dataFolder: string
  readonly app: App
  readonly roles: readonly ServerRole[]
  /** Waits for the running requests, then closes everything. */
  close(): Promise<void>
}

/** Starts a server: opens the data folder, the database and the storage, then listens. @throws `bad_settings` */
export async function serve(context: ServerContext): Promise<RunningServer> {
  const { settings, cwd, logger } = context
  const dataFolder = resolve(cwd, settings.ASSAY_DATA_DIR)
  // A first start that can't listen leaves no data folder behind, which later commands would take for that of a server.
  if (!existsSync(dataFolder)) await checkListening({ host: settings.HOST, port: settings.PORT })
  await using resources = new AsyncDisposableStack()
  // Closed after everything else, so that the last spans are sent.
  const telemetry = resources.adopt(await openServerTelemetry(context), (opened) => opened?.close())
  resources.use(openDataFolder(dataFolder))
  const readCache = { maxBytes: settings.ASSAY_CACHE_MAX_BYTES, spoolFolder: resolve(dataFolder, "cache") }
  const opening = openSettingsRegistry(context, dataFolder, { readCache, telemetry })
  const registry = resources.adopt(await opening, (opened) => opened.close())
  warnOfLooseModes(context)
  sweepStaging(dataFolder, localStorageFolder(settings, dataFolder))
  const uploads = registry.openUploads({ lifetimeMs: UPLOAD_LIFETIME_MS })
  const sweepJobs = () => jobs.sweepTrash()
  const sweeper = createSweeper({ registry, uploads, sweepJobs, auditDays: settings.ASSAY_AUDIT_DAYS, logger })
  // After everything that uses the registry, and before the registry itself is closed.
  resources.defer(() => sweeper.settled())
  const stopping = new AbortController()
  const parts = { dataFolder, registry, uploads, telemetry, stopping: stopping.signal }
  const { services, jobs, analyses } = await openServices(context, parts, resources)
  // Closed after the jobs: what ends while the server stops is kept for the next start.
  resources.adopt(await openServerWebhooks(context, registry, telemetry), (opened) => opened?.close())
  const isOneOfSeveral = registry.sharedDatabase !== undefined && settings.ASSAY_ROLES.includes("api")
  const compilers = (context.createCompilers ?? createCompilers)({ isEager: isOneOfSeveral })
  const app = await buildApp(services, logger, compilers)
  resources.defer(trackConnections(app))
  // Closed before the app: jobs are suspended while the running requests end.
  resources.adopt(jobs, (started) => started.close())
  // Closed before the app: the app waits for requests, and they may wait for analyses.
  resources.adopt(analyses, (started) => started.close())
  if (isOneOfSeveral) await warmUp(registry, app)
  const url = await listen({ host: settings.HOST, port: settings.PORT }, (address) => app.listen(address))
  resources.use(sweeper.start())
  jobs.start()
  const opened = resources.move()
  const close = () => {
    stopping.abort()
    return opened.disposeAsync()
  }
  return { url, dataFolder, app, roles: settings.ASSAY_ROLES, close }
}

/** Logs warnings about files that other users can read. Changes no mode, because the access may be intended. */
function warnOfLooseModes({ settings, cwd, logger }: ServerContext): void {
  for (const { path, mode, problem, command } of looseModesOf(settings, cwd)) {
    logger.warn({ path, mode, command }, `${problem} Fix it with: ${command}`)
  }
}

/**
 * Does before the server listens what its first requests would wait for. Behind a load balancer a server gets its share of the
 * requests as soon as it is ready.
 */
async function warmUp({ filesets }: Registry, app: App): Promise<void> {
  await filesets.list("default", { page: 1, page_size: 1, sort: "-created_at" }, "all")
  await app.inject("/health/live")
}
