import { availableParallelism } from "node:os"
import { resolve } from "node:path"
import { performance } from "node:perf_hooks"
import { type Analyses, createAnalyses, createChatTemplates } from "@assay/checkpoints"
import { createRowReader, createSchemas, openRowEnforcement } from "@assay/contents"
import { createOutgoingBytes, parseAllowedOrigins, parseTrustedProxies } from "@assay/http/node"
import { createKeyedHash, createXetHashes } from "@assay/hub"
import { createWorkspacePaces, type EvaluationService } from "@assay/jobs/service"
import type { Registry } from "@assay/registry"
import type { Uploads } from "@assay/uploads"
import type { Telemetry } from "@assay/telemetry"
import { allowedHostNames, openAuthentication } from "./auth/open-authentication.ts"
import { consoleFolder, readConsoleFiles } from "./console/console-files.ts"
import { openEvaluations } from "./evaluation/open-evaluations.ts"
import { openGuardrails } from "./guardrails/open-guardrails.ts"
import { createIdMaker } from "./new-id.ts"
import { openSharedInference } from "./outbound/open-shared-inference.ts"
import { shardKeyOf } from "./open-settings-registry.ts"
import type { ServerContext } from "./server-context.ts"
import type { Services } from "./services.ts"
import { maxOutgoingBytes } from "./settings/limits-by-memory.ts"
import { readVersion } from "./version.ts"

/** The parts of the server that are opened before the services and closed after them. */
export interface ServiceParts {
  readonly dataFolder: string
  readonly registry: Registry
  readonly uploads: Uploads
  readonly telemetry: Telemetry | undefined
  /** Aborted when the server begins to stop. */
  readonly stopping: AbortSignal
}

/** The services, and those of them that are closed before the HTTP interface. */
export interface OpenedServices {
  readonly services: Services
  readonly jobs: EvaluationService
  readonly analyses: Analyses
}

/** Opens the services of a server. Services that are closed after the HTTP interface are closed with `resources`. */
export async function openServices(
  context: ServerContext,
  parts: ServiceParts,
  resources: AsyncDisposableStack,
): Promise<OpenedServices> {
  const { dataFolder, registry, telemetry } = parts
  const { files, analyses } = await openContents(context, parts, resources)
  const { held, ...endpoints } = openSharedInference(context, registry, telemetry)
  const guardrails = resources.adopt(
    openGuardrails(context, registry, { ...endpoints, schemas: files.schemas }),
    (created) => created.close(),
  )
  const { evaluations, jobs } = await openEvaluations(
    context,
    {
      dataFolder,
      registry,
      schemas: files.schemas,
      guardrails: guardrails.configurations,
      ...endpoints,
      telemetry,
    },
    resources,
  )
  const shardKey = shardKeyOf(context, dataFolder)
  const services: Services = {
    registry,
    stopping: parts.stopping,
    uploads: parts.uploads.uploads,
    pendingObjects: parts.uploads.pendingObjects,
    xet: parts.uploads.xet,
    xetHashes: onFirstCall(createXetHashes),
    xetShardKey: onFirstCall(async () => ({ key: shardKey, hash: await createKeyedHash(shardKey) })),
    multipart: parts.uploads.multipart,
    ...files,
    analyses,
    chatTemplates: createChatTemplates(),
    guardrails,
    evaluations,
    telemetry,
    workspacePaces: createWorkspacePaces(registry.endpointPaces),
    heldHosts: held,
    ...openAuthentication(context, dataFolder, registry),
    ...fixedServices(context),
  }
  return { services, jobs, analyses }
}

interface Contents {
  readonly files: Pick<Services, "schemas" | "enforceRows" | "rows">
  readonly analyses: Analyses
}

/** Opens what reads the contents of files: the threads of schemas, the enforcement of rows, analyses of checkpoints. */
async function openContents(
  { settings, now, randomBytes, logger, schemaLimits }: ServerContext,
  { dataFolder, registry: { models } }: ServiceParts,
  resources: AsyncDisposableStack,
): Promise<Contents> {
  const schemas = resources.adopt(createSchemas(availableParallelism(), schemaLimits), (created) => created.close())
  const folder = resolve(dataFolder, "rows")
  const enforceRows = await openRowEnforcement({ schemas, folder, newId: createIdMaker(randomBytes) })
  const analyses = createAnalyses({ models, now, allowPlugins: settings.ASSAY_ALLOW_PLUGINS, logger })
  const rows = createRowReader({ schemas, cores: availableParallelism() })
  return { files: { schemas, enforceRows, rows }, analyses }
}

/** Returns what the settings and the machine alone decide. */
function fixedServices(context: ServerContext) {
  const { settings, now } = context
  const hasApi = settings.ASSAY_ROLES.includes("api")
  return {
    roles: settings.ASSAY_ROLES,
    takesTokens: settings.ASSAY_AUTH !== "off",
    publicUrl: settings.ASSAY_PUBLIC_URL === undefined ? undefined : new URL(settings.ASSAY_PUBLIC_URL),
    allowedOrigins: parseAllowedOrigins(settings.ASSAY_ALLOWED_ORIGINS, "ASSAY_ALLOWED_ORIGINS"),
    trustedProxies: parseTrustedProxies(settings.ASSAY_TRUST_PROXY, "ASSAY_TRUST_PROXY"),
    now,
    outgoing: createOutgoingBytes({
      maxBytes: maxOutgoingBytes(settings),
      setting: "ASSAY_MAX_OUTGOING_BYTES",
      now: () => performance.now(),
    }),
    wireNames: settings.ASSAY_WIRE_NAMES,
    defaultInferenceUrl: settings.ASSAY_DEFAULT_INFERENCE_URL,
    hasPrices: settings.ASSAY_PRICES_FILE !== undefined,
    uploadIdleMs: settings.ASSAY_UPLOAD_IDLE_SECONDS * 1000,
    maxUploadBytes: settings.ASSAY_MAX_UPLOAD_BYTES,
    allowedHostNames: allowedHostNames(context),
    allowPlugins: settings.ASSAY_ALLOW_PLUGINS,
    cores: availableParallelism(),
    console: hasApi ? readConsoleFiles(context.consoleFolder ?? consoleFolder()) : new Map(),
    version: readVersion(),
    revision: settings.ASSAY_REVISION,
  } satisfies Partial<Services>
}

/** Returns a function that makes a value with its first call, and returns the same one with each later call. */
function onFirstCall<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
