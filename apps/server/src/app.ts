import { AssayError } from "@assay/schemas"
import { fastify, LogController, type FastifyBaseLogger, type FastifyReply, type FastifyRequest } from "fastify"
import { installAccess } from "./auth/access.ts"
import { bearerToken } from "./auth/authenticate.ts"
import { checkHost } from "./origin/check-host.ts"
import { refuseCrossSite } from "./origin/cross-site.ts"
import type { App } from "./http/app.ts"
import { errorAnswer, toAssayError } from "./errors/error-response.ts"
import { answerUnreadable } from "./errors/answer-unreadable.ts"
import { closeUnreadRequests } from "./http/connections.ts"
import { parseJsonBody } from "./validation/json-body.ts"
import { homePage } from "./service/home-page.ts"
import { logRequests } from "./service/log-requests.ts"
import { installMetrics } from "./service/metrics.ts"
import { installOpenApi, installReferencePage } from "./openapi/openapi.ts"
import { limitOutgoing } from "./http/outgoing-bytes.ts"
import { closeQueries } from "./validation/query-keys.ts"
import { createSerializerCompiler, createValidatorCompiler } from "./validation/schema-compilers.ts"
import { HUB_PREFIX } from "./hub/hub-address.ts"
import { hubRoutes } from "./hub/hub-routes.ts"
import { platformRoutes } from "./platform-v1/platform-routes.ts"
import { evaluationRoutes } from "./evaluation/routes/evaluation-routes.ts"
import { fileRoutes } from "./files/file-routes.ts"
import { filesetCacheRoutes } from "./filesets/cache-routes.ts"
import { filesetRoutes } from "./filesets/fileset-routes.ts"
import { guardrailRoutes, guardrailV1Routes } from "./guardrails/guardrail-routes.ts"
import { modelRoutes } from "./models/model-routes.ts"
import { projectRoutes } from "./workspaces/project-routes.ts"
import { rowRoutes } from "./rows/row-routes.ts"
import { secretRoutes } from "./secrets/secret-routes.ts"
import { serviceRoutes } from "./service/health-routes.ts"
import { uploadRoutes } from "./uploads/upload-routes.ts"
import { workspaceRoutes } from "./workspaces/workspace-routes.ts"
import type { Services } from "./services.ts"

const MAX_JSON_BODY = 16_777_216

/** Answers a request that failed, wherever it did. */
function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const fault = toAssayError(error)
  if (fault.status >= 500)
    request.log.error({ request: request.id, err: fault.cause ?? fault, code: fault.code }, fault.message)
  const { hideInput = false } = request.routeOptions.config as { hideInput?: boolean }
  const { status, headers, body } = errorAnswer(fault, { hideInput })
  reply.code(status).headers({ ...headers, "x-request-id": request.id })
  if (fault.code === "upload_idle") reply.header("connection", "close")
  return reply.type("application/json; charset=utf-8").send(request.method === "HEAD" ? "" : JSON.stringify(body))
}

function handleErrors(app: App): void {
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((request) => {
    throw new AssayError(
      "not_found",
      `There is no ${request.method} ${request.url.split("?")[0]} here; /docs lists the operations.`,
    )
  })
}

function readBodies(app: App): void {
  app.removeContentTypeParser(["application/json", "text/plain"])
  app.addContentTypeParser<string>(
    /^application\/([\w.-]+\+)?json\b/,
    { parseAs: "string", bodyLimit: MAX_JSON_BODY },
    (_request, text, done) => {
      try {
        done(null, parseJsonBody(text))
      } catch (error) {
        done(error as Error)
      }
    },
  )
}

/** The whole HTTP interface over `services`; listens nowhere yet. */
export async function buildApp(services: Services, logger: FastifyBaseLogger): Promise<App> {
  const app: App = fastify({
    loggerInstance: logger,
    // A logger of its own for each request costs more than most requests; the few lines that need it name the request.
    childLoggerFactory: (parent) => parent,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_JSON_BODY,
    routerOptions: { maxParamLength: 8192 },
    // A limit would end uploads that take longer; those that fall silent are ended by the routes that read them.
    requestTimeout: 0,
    trustProxy: services.trustedProxies,
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
    clientErrorHandler: answerUnreadable,
  })
  app.setValidatorCompiler(createValidatorCompiler())
  app.setSerializerCompiler(createSerializerCompiler(services.wireNames))
  readBodies(app)
  handleErrors(app)
  if (services.allowedHostNames !== undefined) checkHost(app, services.allowedHostNames)
  refuseCrossSite(app, {
    allowedOrigins: services.allowedOrigins,
    namesCaller: ({ headers }) => services.takesTokens && bearerToken(headers.authorization) !== undefined,
  })
  installAccess(app, services.authenticate)
  limitOutgoing(app, services.outgoing)
  logRequests(app)
  closeUnreadRequests(app)
  closeQueries(app)
  await installOpenApi(app)
  installMetrics(app)
  homePage(app, services)
  serviceRoutes(app, services)

  const mount: Mount = (prefix, ...routes) => {
    for (const define of routes) {
      app.register(
        (scope, _options, done) => {
          define(scope, services)
          done()
        },
        { prefix },
      )
    }
  }
  if (services.roles.includes("api")) mountRoutes(mount)
  await installReferencePage(app)
  await app.ready()
  return app
}

type Mount = (prefix: string, ...routes: ((app: App, services: Services) => void)[]) => void

/** What a worker alone leaves to others. */
function mountRoutes(mount: Mount): void {
  mount("/apis/entities/v2", workspaceRoutes, projectRoutes)
  mount("/apis/secrets/v2", secretRoutes)
  mount("/apis/files/v2", filesetRoutes, filesetCacheRoutes, fileRoutes, rowRoutes, uploadRoutes)
  mount("/apis/models/v2", modelRoutes)
  mount("/apis/guardrails/v2", guardrailRoutes)
  mount("/v1/guardrail", guardrailV1Routes)
  mount("/v1/evaluation", evaluationRoutes)
  mount(HUB_PREFIX, hubRoutes)
  mount("/v1", platformRoutes)
}
