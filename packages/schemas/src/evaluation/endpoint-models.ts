import { type Static, Type } from "@sinclair/typebox"
import { ApiEndpoint } from "./evaluation-target.ts"

const { url, api_key_secret, ca } = ApiEndpoint.properties

/** An endpoint whose models are listed. It takes the name of a secret, and never a key. */
export const EndpointModelsBody = Type.Object(
  { url, api_key_secret, ca },
  { $id: "EndpointModelsBody", additionalProperties: false },
)
export type EndpointModelsBody = Static<typeof EndpointModelsBody>

/** The models that an endpoint lists. */
export const EndpointModels = Type.Object(
  {
    object: Type.Literal("list"),
    data: Type.Array(Type.Object({ id: Type.String() })),
    is_cut: Type.Boolean({ description: "Whether the endpoint lists more than the 1,000 models that are returned." }),
  },
  { $id: "EndpointModels" },
)
export type EndpointModels = Static<typeof EndpointModels>
