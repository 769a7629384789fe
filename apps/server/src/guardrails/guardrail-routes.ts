import { CreateGuardrailConfiguration, enumeration, type GuardrailConfiguration, type Role } from "@assay/schemas"
import { Type, type TSchema } from "@sinclair/typebox"
import type { FastifyRequest } from "fastify"
import type { App } from "../http/app.ts"
import { describeRoutes, type RouteOptions } from "../http/describe-routes.ts"
import { NamedParameters, WorkspaceParameters } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"
import { guardrailCheckRoutes } from "./check-routes.ts"
import { guardrailConfigRoutes } from "./configuration-routes.ts"

/** A path with guardrail routes, and what differs between the paths. */
export interface GuardrailScope {
  /** Prefix of each route. */
  readonly path: string
  readonly params: TSchema
  /** Paths of one configuration below `path`. `itemParams` are their parameters. */
  readonly items: readonly string[]
  readonly itemParams: TSchema
  readonly createBody: TSchema
  /** Describes routes for callers with this role in the workspace. */
  readonly describe: (role: Role, options?: RouteOptions) => ReturnType<typeof describeRoutes>
  readonly workspaceOf: (request: FastifyRequest) => string
  /** Returns a configuration in the form of the responses at this path. */
  readonly present: (configuration: GuardrailConfiguration) => GuardrailConfiguration
}

/** Routes below a workspace. */
const WORKSPACE_SCOPE: GuardrailScope = {
  path: "/workspaces/:ws",
  params: WorkspaceParameters,
  items: ["/configs/:name"],
  itemParams: NamedParameters,
  createBody: CreateGuardrailConfiguration,
  describe: (role, options) => describeRoutes("guardrails", { scope: "workspace", role }, options),
  workspaceOf: (request) => (request.params as { ws: string }).ws,
  present: (configuration) => configuration,
}

/** The workspace of clients that name none. */
const V1_WORKSPACE = "default"

/** Routes for clients of the first version, which name no workspace. */
const V1_SCOPE: GuardrailScope = {
  path: "",
  params: Type.Object({}),
  items: ["/configs/:name", `/configs/${V1_WORKSPACE}/:name`],
  itemParams: Type.Object({ name: Type.String() }),
  createBody: Type.Object(
    { ...CreateGuardrailConfiguration.properties, namespace: Type.Optional(enumeration([V1_WORKSPACE])) },
    { additionalProperties: false },
  ),
  describe: (role, options) =>
    describeRoutes("guardrails v1", { scope: "workspace", role, workspace: V1_WORKSPACE }, options),
  workspaceOf: () => V1_WORKSPACE,
  present: (configuration) => ({ ...configuration, namespace: configuration.workspace }),
}

/** Defines the routes for guardrails of a workspace, under `/apis/guardrails/v2`. */
export function guardrailRoutes(app: App, services: Services): void {
  guardrailConfigRoutes(app, services, WORKSPACE_SCOPE)
  guardrailCheckRoutes(app, services, WORKSPACE_SCOPE)
}

/** Defines the same routes for clients of the first version, under `/v1/guardrail`. */
export function guardrailV1Routes(app: App, services: Services): void {
  guardrailConfigRoutes(app, services, V1_SCOPE)
  guardrailCheckRoutes(app, services, V1_SCOPE)
}
