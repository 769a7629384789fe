import type { Role } from "@assay/registry/tokens"
import { CreateGuardrailConfiguration, enumeration, type GuardrailConfiguration } from "@assay/schemas"
import { Type, type TSchema } from "@sinclair/typebox"
import type { FastifyRequest } from "fastify"
import { access, type Access } from "../auth/access.ts"
import type { App } from "../http/app.ts"
import { NamedParameters, WorkspaceParameters } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"
import { guardrailCheckRoutes } from "./check-routes.ts"
import { guardrailConfigRoutes } from "./configuration-routes.ts"

/** A path with guardrail routes, and what differs between the paths. */
export interface GuardrailsPlace {
  readonly tags: readonly string[]
  /** Prefix of each route. */
  readonly path: string
  readonly params: TSchema
  /** Paths of one configuration below `path`. `itemParams` are their parameters. */
  readonly items: readonly string[]
  readonly itemParams: TSchema
  readonly createBody: TSchema
  readonly access: (role: Role) => { readonly access: Access }
  readonly workspaceOf: (request: FastifyRequest) => string
  /** Returns a configuration in the form of the responses at this path. */
  readonly present: (configuration: GuardrailConfiguration) => GuardrailConfiguration
}

/** Routes below a workspace. */
const WORKSPACE_PLACE: GuardrailsPlace = {
  tags: ["guardrails"],
  path: "/workspaces/:ws",
  params: WorkspaceParameters,
  items: ["/configs/:name"],
  itemParams: NamedParameters,
  createBody: CreateGuardrailConfiguration,
  access: (role) => access({ scope: "workspace", role }),
  workspaceOf: (request) => (request.params as { ws: string }).ws,
  present: (configuration) => configuration,
}

/** The workspace of clients that name none. */
const V1_WORKSPACE = "default"

/** Routes for clients of the first version, which name no workspace. */
const V1_PLACE: GuardrailsPlace = {
  tags: ["guardrails v1"],
  path: "",
  params: Type.Object({}),
  items: ["/configs/:name", `/configs/${V1_WORKSPACE}/:name`],
  itemParams: Type.Object({ name: Type.String() }),
  createBody: Type.Object(
    { ...CreateGuardrailConfiguration.properties, namespace: Type.Optional(enumeration([V1_WORKSPACE])) },
    { additionalProperties: false },
  ),
  access: (role) => access({ scope: "workspace", role, workspace: V1_WORKSPACE }),
  workspaceOf: () => V1_WORKSPACE,
  present: (configuration) => ({ ...configuration, namespace: configuration.workspace }),
}

/** Defines the routes for guardrails of a workspace, under `/apis/guardrails/v2`. */
export function guardrailRoutes(app: App, services: Services): void {
  guardrailConfigRoutes(app, services, WORKSPACE_PLACE)
  guardrailCheckRoutes(app, services, WORKSPACE_PLACE)
}

/** Defines the same routes for clients of the first version, under `/v1/guardrail`. */
export function guardrailV1Routes(app: App, services: Services): void {
  guardrailConfigRoutes(app, services, V1_PLACE)
  guardrailCheckRoutes(app, services, V1_PLACE)
}
