import process from "node:process"
import { randomUUID } from "node:crypto"
import { arch, availableParallelism, platform } from "node:os"
import { resolve } from "node:path"
import { createAnalyses, createChatTemplates, createSchemas, openRowEnforcement } from "@assay/contents/serving"
import { createEvaluationRows, createEvaluations, createEvaluationService, paceInference } from "@assay/jobs/service"
import { readPrices } from "@assay/evaluation"
import { createGuardrailService } from "@assay/guardrails/serving"
import { createOutgoingBytes, parseAllowedOrigins, parseTrustedProxies } from "@assay/http/server"
import { checkSecretRights, type Registry } from "@assay/registry"
import { openDataFolder, sweepStaging } from "@assay/backup"
import {
  createCallerTokens,
  createFailureLimit,
  createSessions,
  openTokenStore,
  type CallerTokens,
  type Sessions,
} from "@assay/access"
import { buildApp } from "./app.ts"
import { authenticateNobody, authenticateTokens, type Authenticate } from "./auth/authenticate.ts"
import { consoleFolder, readConsoleFiles } from "./console/console-files.ts"
import { openServerTelemetry } from "./service/open-server-telemetry.ts"
import { SESSION_MS } from "./service/session-routes.ts"
import { openSandbox } from "./evaluation/open-sandbox.ts"
import type { App } from "./http/app.ts"
import { listen } from "./http/connections.ts"
import { trackConnections } from "./http/end-connections.ts"
import { localStorageFolder, looseModesOf, tokensFile } from "./maintenance/settings-places.ts"
import { createIdMaker } from "./new-id.ts"
import { openSettingsRegistry, sessionKeyOf } from "./open-settings-registry.ts"
import { createInferencePolicy } from "./outbound/inference-policy.ts"
import { openInferenceWith } from "./outbound/open-inference.ts"
import type { ServerContext } from "./server-context.ts"
import { harnessLimitsOf, maxOutgoingBytes } from "./settings/limits-by-memory.ts"
import type { ServerRole } from "./settings/settings-schema.ts"
import { sleep } from "./sleep.ts"
import { readVersion } from "./version.ts"
import { createCompilers } from "./validation/compilers.ts"

/** Milliseconds since the process started. A change of the clock of the machine does not change it. */
const elapsed = () => performance.now()

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const UPLOAD_LIFETIME_MS = 24 * HOUR_MS
const FAILED_TOKENS_A_MINUTE = 10
/** Maximum number of bytes of responses of inference endpoints that are being received. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024

export interface RunningServer {
  readonly url: string
  readonly dataFolder: string
  readonly app: App
  readonly roles: readonly ServerRole[]
  /** Waits for the running requests, then closes everything. */
  close(): Promise<void>
}

interface Authentication {
  readonly authenticate: Authenticate
  readonly sessions: Sessions
  readonly tokens: CallerTokens
}

function openAuthentication(
  context: ServerContext,
  dataFolder: string,
  { endedSessions: ended }: Pick<Registry, "endedSessions">,
): Authentication {
  const { settings, cwd, now, randomBytes } = context
  const file = tokensFile(settings, cwd)
  const store = openTokenStore(file, now)
  const newId = createIdMaker(randomBytes)
  const tokens = createCallerTokens({ file, now, newId, randomBytes })
  const sessions = createSessions({
    tokens: store,
    key: sessionKeyOf(context, dataFolder),
    now,
    newId,
    ended,
    lifetimeMs: SESSION_MS,
  })
  if (settings.ASSAY_AUTH === "off") return { authenticate: authenticateNobody, sessions, tokens }
  const failures = createFailureLimit({ limit: FAILED_TOKENS_A_MINUTE, windowMs: MINUTE_MS, now: elapsed })
  return { authenticate: authenticateTokens(store, failures, sessions), sessions, tokens }
}

/** Logs warnings about files that other users can read. Changes no mode, because the access may be intended. */
function warnOfLooseModes({ settings, cwd, logger }: ServerContext): void {
  for (const { path, mode, problem, command } of looseModesOf(settings, cwd)) {
    logger.warn({ path, mode, command }, `${problem} Fix it with: ${command}`)
  }
}

function allowedHostNames({ settings }: ServerContext): ReadonlySet<string> | undefined {
  return settings.ASSAY_AUTH === "off" ? new Set(["localhost", "127.0.0.1", "[::1]", settings.HOST]) : undefined
}

/** Starts a server: opens the data folder, the database and the storage, then listens. @throws `bad_settings` */
export async function serve(context: ServerContext): Promise<RunningServer> {
  const { settings, cwd, now, randomBytes, logger } = context
  const dataFolder = resolve(cwd, settings.ASSAY_DATA_DIR)
  await using resources = new AsyncDisposableStack()
  // Closed after everything else, so that the last spans are sent.
  const telemetry = resources.adopt(await openServerTelemetry(context), (opened) => opened?.close())
  resources.use(openDataFolder(dataFolder))
  const readCache = { maxBytes: settings.ASSAY_CACHE_MAX_BYTES, spoolFolder: resolve(dataFolder, "cache") }
  const opening = openSettingsRegistry(context, dataFolder, { readCache, telemetry })
  const registry = resources.adopt(await opening, (opened) => opened.close())
  warnOfLooseModes(context)
  sweepStaging(dataFolder, localStorageFolder(settings, dataFolder))
  const newId = createIdMaker(randomBytes)
  const {
    uploads,
    pendingObjects,
    sweep: sweepUploads,
  } = registry.openUploads({
    dataFolder,
    lifetimeMs: UPLOAD_LIFETIME_MS,
  })
  let sweeping: Promise<unknown> = Promise.resolve()
  // After everything that uses the registry, and before the registry itself is closed.
  resources.defer(async () => void (await sweeping))
  const { filesets } = registry
  // Behind a load balancer it gets its share of the requests as soon as it is ready. What they would wait for is done before.
  const isOneOfSeveral = registry.sharedDatabase !== undefined && settings.ASSAY_ROLES.includes("api")
  const schemas = resources.adopt(createSchemas(availableParallelism(), context.schemaLimits), (created) =>
    created.close(),
  )
  const enforceRows = await openRowEnforcement({ filesets, schemas, folder: resolve(dataFolder, "rows"), newId })
  const analyses = createAnalyses({ models: registry.models, now, allowPlugins: settings.ASSAY_ALLOW_PLUGINS, logger })
  const policy = createInferencePolicy(settings)
  // Jobs and guardrails share what endpoints allow, on a shared database with those of all servers.
  const inference = paceInference(
    openInferenceWith({ policy, telemetry, answerRoom: { maxBytes: MAX_ANSWER_BYTES, heldBytes: 0 } }),
    logger,
    // An embedded database has one process, which needs no row for that.
    registry.sharedDatabase && registry.endpointPaces,
  )
  const { open: openInference } = inference
  const checkEndpoint = (url: string) => policy.checkEndpoint(url)
  const guardrails = resources.adopt(
    createGuardrailService({
      store: registry.guardrailConfigurations,
      secrets: { ...registry.secrets, checkRights: checkSecretRights },
      checkEndpoint,
      openInference,
      defaultUrl: settings.ASSAY_DEFAULT_INFERENCE_URL,
      now,
      newId: randomUUID,
      logger,
    }),
    (created) => created.close(),
  )
  const evaluationFolder = resolve(dataFolder, "evaluation")
  const { ASSAY_ENCRYPTION_KEYS_FILE: keysFile } = settings
  const hidden = [dataFolder, tokensFile(settings, cwd), ...(keysFile === undefined ? [] : [resolve(cwd, keysFile)])]
  const host = {
    registry,
    schemas,
    guardrails: guardrails.configurations,
    checkEndpoint,
    openInference,
    telemetry,
    now,
    elapsed,
    newId,
    random: Math.random,
    sleep,
    prices: await readPrices(settings.ASSAY_PRICES_FILE, cwd),
    harnessEnvironment: settings.ASSAY_HARNESS_ENVIRONMENT,
    harnessLimits: harnessLimitsOf(settings),
    harnessSandbox: await openSandbox(context, hidden),
  }
  const jobs = createEvaluationService({
    ...host,
    logger,
    folder: evaluationFolder,
    isWorker: settings.ASSAY_ROLES.includes("worker"),
    maxJobs: settings.ASSAY_WORKER_JOBS,
    limits: { maxShards: settings.ASSAY_MAX_SHARDS_PER_WORKSPACE },
    versions: { assay: readVersion(), node: process.version, platform: `${platform()} ${arch()}` },
  })
  const rows = resources.adopt(createEvaluationRows({ ...host, folder: evaluationFolder }), (created) =>
    created.close(),
  )
  const stopping = new AbortController()
  const app = await buildApp(
    {
      registry,
      stopping: stopping.signal,
      uploads,
      pendingObjects,
      enforceRows,
      schemas,
      analyses,
      chatTemplates: createChatTemplates(),
      guardrails,
      evaluations: createEvaluations({ ...host, jobs, rows, workFolder: resolve(evaluationFolder, "live") }),
      telemetry,
      heldHosts: inference.held,
      roles: settings.ASSAY_ROLES,
      ...openAuthentication(context, dataFolder, registry),
      takesTokens: settings.ASSAY_AUTH === "tokens",
      allowedOrigins: parseAllowedOrigins(settings.ASSAY_ALLOWED_ORIGINS, "ASSAY_ALLOWED_ORIGINS"),
      trustedProxies: parseTrustedProxies(settings.ASSAY_TRUST_PROXY, "ASSAY_TRUST_PROXY"),
      now,
      outgoing: createOutgoingBytes({
        maxBytes: maxOutgoingBytes(settings),
        setting: "ASSAY_MAX_OUTGOING_BYTES",
        now: elapsed,
      }),
      wireNames: settings.ASSAY_WIRE_NAMES,
      defaultInferenceUrl: settings.ASSAY_DEFAULT_INFERENCE_URL,
      uploadIdleMs: settings.ASSAY_UPLOAD_IDLE_SECONDS * 1000,
      maxUploadBytes: settings.ASSAY_MAX_UPLOAD_BYTES,
      allowedHostNames: allowedHostNames(context),
      allowPlugins: settings.ASSAY_ALLOW_PLUGINS,
      cores: availableParallelism(),
      console: settings.ASSAY_ROLES.includes("api")
        ? readConsoleFiles(context.consoleFolder ?? consoleFolder())
        : new Map(),
      version: readVersion(),
      revision: settings.ASSAY_REVISION,
    },
    logger,
    (context.createCompilers ?? createCompilers)({ isEager: isOneOfSeveral }),
  )
  resources.defer(trackConnections(app))
  // Closed before the app: jobs are suspended while the running requests end.
  resources.adopt(jobs, (started) => started.close())
  // Closed before the app: the app waits for requests, and they may wait for analyses.
  resources.adopt(analyses, (started) => started.close())
  if (isOneOfSeveral) {
    await filesets.list("default", { page: 1, page_size: 1, sort: "-created_at" }, "all")
    await app.inject("/health/live")
  }
  const url = await listen({ host: settings.HOST, port: settings.PORT }, (address) => app.listen(address))
  const sweep = () => {
    sweeping = Promise.all([sweepUploads(), registry.audit.sweep(settings.ASSAY_AUDIT_DAYS * DAY_MS)]).catch(
      (error: unknown) => logger.warn({ err: error }, "failed to remove expired uploads or audit records"),
    )
  }
  sweep()
  resources.adopt(setInterval(sweep, HOUR_MS).unref(), clearInterval)
  jobs.start()
  const opened = resources.move()
  const close = () => {
    stopping.abort()
    return opened.disposeAsync()
  }
  return { url, dataFolder, app, roles: settings.ASSAY_ROLES, close }
}
