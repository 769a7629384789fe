import {
  AnyName,
  ChatBody,
  CheckRequest,
  CreateGuardrailConfiguration,
  enumeration,
  GuardrailChoice,
  invalidRequest,
  type GuardrailConfiguration,
} from "@assay/schemas"
import { Type, type TSchema } from "@sinclair/typebox"
import type { FastifyRequest } from "fastify"
import { access, type Access } from "../auth/access.ts"
import type { Role } from "../auth/grant.ts"
import { NamedParameters, WorkspaceParameters } from "../http/path-parameters.ts"

/** Where routes of guardrails are, and what differs between the places. */
export interface GuardrailsPlace {
  readonly tags: readonly string[]
  /** In front of each route. */
  readonly path: string
  readonly params: TSchema
  /** Addresses of one configuration below `path`, and their parameters. */
  readonly items: readonly string[]
  readonly itemParams: TSchema
  readonly createBody: TSchema
  readonly checkBody: TSchema
  readonly access: (role: Role) => { readonly access: Access }
  readonly workspaceOf: (request: FastifyRequest) => string
  readonly choiceOf: (body: unknown) => GuardrailChoice
  /** A configuration as the answers of this place have it. */
  readonly present: (configuration: GuardrailConfiguration) => GuardrailConfiguration
}

/** Below a workspace. */
export const WORKSPACE_PLACE: GuardrailsPlace = {
  tags: ["guardrails"],
  path: "/workspaces/:ws",
  params: WorkspaceParameters,
  items: ["/configs/:name"],
  itemParams: NamedParameters,
  createBody: CreateGuardrailConfiguration,
  checkBody: CheckRequest,
  access: (role) => access({ scope: "workspace", role }),
  workspaceOf: (request) => (request.params as { ws: string }).ws,
  choiceOf: (body) => (body as CheckRequest).guardrails,
  present: (configuration) => configuration,
}

/** The workspace of clients that know none. */
const V1_WORKSPACE = "default"

const V1Choice = Type.Object(
  {
    ...GuardrailChoice.properties,
    config_ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        minItems: 1,
        maxItems: 1,
        description: "In place of `config_id`, never beside it.",
      }),
    ),
    options: Type.Optional(
      Type.Record(AnyName, Type.Unknown(), { description: "Taken and left aside: the log is always there." }),
    ),
  },
  { additionalProperties: false },
)

/** For clients of the first version, which name no workspace. */
export const V1_PLACE: GuardrailsPlace = {
  tags: ["guardrails v1"],
  path: "",
  params: Type.Object({}),
  items: ["/configs/:name", `/configs/${V1_WORKSPACE}/:name`],
  itemParams: Type.Object({ name: Type.String() }),
  createBody: Type.Object(
    { ...CreateGuardrailConfiguration.properties, namespace: Type.Optional(enumeration([V1_WORKSPACE])) },
    { additionalProperties: false },
  ),
  checkBody: Type.Intersect([ChatBody, Type.Object({ guardrails: V1Choice })]),
  access: (role) => access({ scope: "workspace", role, workspace: V1_WORKSPACE }),
  workspaceOf: () => V1_WORKSPACE,
  choiceOf: (body) => {
    const { config_id, config_ids, config, models } = (body as { guardrails: typeof V1Choice.static }).guardrails
    if (config_id !== undefined && config_ids !== undefined) {
      const msg = "Give one of 'config_id' and 'config_ids'; both are there, and each rail of one would be left out"
      throw invalidRequest(["body", "guardrails"], msg, "one_of")
    }
    const id = config_id ?? config_ids?.[0]
    return {
      ...(id === undefined ? {} : { config_id: id }),
      ...(config === undefined ? {} : { config }),
      ...(models === undefined ? {} : { models }),
    }
  },
  present: (configuration) => ({ ...configuration, namespace: configuration.workspace }),
}
