import { fastify, LogController, type FastifyBaseLogger, type FastifyRequest } from "fastify"
import { installAccess } from "./auth/access.ts"
import { providerRoutes } from "./service/provider-routes.ts"
import { sessionRoutes } from "./service/session-routes.ts"
import { bearerToken } from "./auth/authenticate.ts"
import { asksForPage, consoleFileRoutes, sendConsolePage } from "./console/console-routes.ts"
import { installErrorHandlers, sendError, sendUnreadable } from "./errors/error-handler.ts"
import { auditRoutes } from "./audit/audit-routes.ts"
import { recordWrites } from "./audit/record-writes.ts"
import { compareRoutes } from "./evaluation/compare-routes.ts"
import { changeRoutes } from "./changes/change-routes.ts"
import { evaluationAnswerRoutes } from "./evaluation/answer-routes.ts"
import { evaluationDocumentRoutes } from "./evaluation/document-routes.ts"
import { evaluationJobRoutes } from "./evaluation/job-routes.ts"
import { evaluationOutputRoutes } from "./evaluation/output-routes.ts"
import { baselineRoutes } from "./evaluation/baseline-routes.ts"
import { jobHistoryRoutes } from "./evaluation/job-history-routes.ts"
import { modelListRoutes } from "./evaluation/model-list-routes.ts"
import { paceRoutes } from "./evaluation/pace-routes.ts"
import { labelRoutes } from "./evaluation/label-routes.ts"
import { scoredRowRoutes } from "./evaluation/scored-row-routes.ts"
import { shardRoutes } from "./evaluation/shard-routes.ts"
import { trashRoutes } from "./filesets/trash-routes.ts"
import { historyRoutes } from "./files/history-routes.ts"
import { fileRoutes } from "./files/file-routes.ts"
import { filesetCacheRoutes } from "./filesets/cache-routes.ts"
import { filesetRoutes } from "./filesets/fileset-routes.ts"
import { guardrailRoutes, guardrailV1Routes } from "./guardrails/guardrail-routes.ts"
import { defaultOpenAiRoutes, openAiRoutes } from "./guardrails/openai/openai-routes.ts"
import type { App } from "./http/app.ts"
import { installJsonParser, MAX_JSON_BODY } from "./http/body-parsers.ts"
import { closeUnreadRequests } from "./http/connections.ts"
import { compressAnswers } from "./http/compress-answers.ts"
import { limitOutgoing } from "./http/limit-outgoing.ts"
import { HUB_PREFIX } from "./hub/hub-address.ts"
import { hubRoutes } from "./hub/hub-routes.ts"
import { mcpRoutes } from "./mcp/mcp-routes.ts"
import { chatRenderRoutes } from "./models/chat-render-routes.ts"
import { modelRoutes } from "./models/model-routes.ts"
import { installOpenApi, installReferencePage } from "./openapi/openapi.ts"
import { checkHost, refuseCrossSite } from "./http/cross-site.ts"
import { platformRoutes } from "./platform-v1/platform-routes.ts"
import { rowRoutes } from "./rows/row-routes.ts"
import { secretRoutes } from "./secrets/secret-routes.ts"
import { healthRoutes } from "./service/health-routes.ts"
import { homePage } from "./service/home-page.ts"
import { logRequests } from "./service/log-requests.ts"
import { installMetrics } from "./service/metrics.ts"
import { measureJobs } from "./service/measure-jobs.ts"
import { traceRequests } from "./service/trace-requests.ts"
import type { Services } from "./services.ts"
import { tokenRoutes } from "./tokens/token-routes.ts"
import { uploadRoutes } from "./uploads/upload-routes.ts"
import type { Compilers } from "./validation/compilers.ts"
import { S3_PREFIX } from "./s3/s3-request.ts"
import { s3Routes } from "./s3/s3-routes.ts"
import { closeQueries } from "./validation/request-validator.ts"
import { projectRoutes } from "./workspaces/project-routes.ts"
import { budgetRoutes } from "./workspaces/budget-routes.ts"
import { workspaceRoutes } from "./workspaces/workspace-routes.ts"

/** Builds the whole HTTP interface over `services`. It does not listen yet. */
export async function buildApp(services: Services, logger: FastifyBaseLogger, compilers: Compilers): Promise<App> {
  const app: App = fastify({
    loggerInstance: logger,
    // A child logger per request costs more than most requests. The few log lines that need it name the request.
    childLoggerFactory: (parent) => parent,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_JSON_BODY,
    routerOptions: { maxParamLength: 8192 },
    // A limit would end long uploads. The routes that read uploads end silent ones.
    requestTimeout: 0,
    // Requests that arrive on open connections while the server closes are answered like all others.
    return503OnClosing: false,
    trustProxy: services.trustedProxies,
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
    clientErrorHandler: sendUnreadable,
  })
  app.setValidatorCompiler(compilers.validator)
  app.setSerializerCompiler(compilers.serializers[services.wireNames])
  installJsonParser(app)
  // Before all other hooks, so that the spans of refused requests end like those of others.
  traceRequests(app, services.telemetry)
  const isPage = (request: FastifyRequest) => services.console.size > 0 && asksForPage(request)
  installErrorHandlers(app, (request, reply) => sendConsolePage(services.console, request, reply))
  if (services.allowedHostNames !== undefined) checkHost(app, services.allowedHostNames)
  refuseCrossSite(app, {
    allowedOrigins: services.allowedOrigins,
    namesCaller: ({ headers }) => services.takesTokens && bearerToken(headers.authorization) !== undefined,
  })
  installAccess(app, services.authenticate, isPage)
  // Before the limit, which counts the bytes that are sent.
  compressAnswers(app, services.allowedOrigins)
  limitOutgoing(app, services.outgoing)
  logRequests(app)
  recordWrites(app, services.registry)
  closeUnreadRequests(app)
  closeQueries(app)
  await installOpenApi(app)
  installMetrics(app, services)
  measureJobs(services.telemetry, services)
  homePage(app, services)
  consoleFileRoutes(app, services.console)
  healthRoutes(app, services)
  sessionRoutes(app, services)
  providerRoutes(app, services)

  const mount: Mount = (prefix, ...routes) => {
    for (const define of routes) {
      const plugin = (scope: App, _options: object, done: () => void) => {
        define(scope, services)
        done()
      }
      // Without a name, Fastify looks for the plugin among all modules that Node has loaded.
      app.register(Object.assign(plugin, { [PLUGIN_NAME]: define.name }), { prefix })
    }
  }
  if (services.roles.includes("api")) mountRoutes(mount)
  await installReferencePage(app)
  await app.ready()
  return app
}

const PLUGIN_NAME = Symbol.for("fastify.display-name")

type Mount = (prefix: string, ...routes: ((app: App, services: Services) => void)[]) => void

/** Mounts the routes that a process with the role `worker` alone does not have. */
function mountRoutes(mount: Mount): void {
  mount("/apis/entities/v2", workspaceRoutes, budgetRoutes, projectRoutes)
  mount("/apis/secrets/v2", secretRoutes)
  mount(
    "/apis/files/v2",
    filesetRoutes,
    trashRoutes,
    filesetCacheRoutes,
    historyRoutes,
    fileRoutes,
    rowRoutes,
    uploadRoutes,
  )
  mount("/apis/models/v2", modelRoutes, chatRenderRoutes)
  mount("/apis/guardrails/v2", guardrailRoutes, openAiRoutes)
  mount("/openai/v1", defaultOpenAiRoutes)
  mount("/v1/guardrail", guardrailV1Routes)
  const evaluation = [
    evaluationDocumentRoutes,
    evaluationJobRoutes,
    evaluationOutputRoutes,
    scoredRowRoutes,
    shardRoutes,
    labelRoutes,
    baselineRoutes,
    jobHistoryRoutes,
    modelListRoutes,
    paceRoutes,
    evaluationAnswerRoutes,
    compareRoutes,
  ]
  mount("/v1/evaluation", ...evaluation)
  mount("/mcp", mcpRoutes)
  mount(HUB_PREFIX, hubRoutes)
  mount(S3_PREFIX, s3Routes)
  mount("/v1", platformRoutes, tokenRoutes, auditRoutes, changeRoutes)
}
