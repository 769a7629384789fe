import { Type, type Static } from "@sinclair/typebox"
import { AnyName, enumeration } from "../records/field-types.ts"
import { SecretRef } from "../secrets/secret.ts"
import { vendorKey } from "./vendor-key.ts"

/** How a model writes what it thinks aloud. */
const ReasoningConfig = Type.Object(
  {
    remove_reasoning_traces: vendorKey(Type.Boolean()),
    remove_thinking_traces: vendorKey(Type.Boolean()),
    start_token: vendorKey(Type.String({ minLength: 1, maxLength: 100, examples: ["<think>"] })),
    end_token: vendorKey(Type.String({ minLength: 1, maxLength: 100, examples: ["</think>"] })),
  },
  {
    additionalProperties: false,
    description: "What a judge writes between `start_token` and `end_token` is never part of its verdict.",
  },
)

/**
 * A model that a guardrail asks: `main` serves self-checks unless a flow names another, and its endpoint answers chat with the model
 * that the request names.
 */
export const GuardrailModel = Type.Object(
  {
    type: Type.String({
      minLength: 1,
      examples: ["main", "content_safety"],
      description: "How flows name it. A type `self_check_input` or `self_check_output` serves that self-check.",
    }),
    engine: Type.Optional(Type.String({ default: "openai", description: "Free text; all are asked alike." })),
    model: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          "The model's name at its endpoint, or `parameters.model_name`; of `main` the one that is asked if a request names none.",
      }),
    ),
    pinned: Type.Optional(
      Type.Boolean({
        description:
          "Of `main`: chat asks this model alone, and a request that names another one is refused. Absent: not pinned.",
      }),
    ),
    url: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          "A base such as https://host/v1, or the whole …/chat/completions; without user name and password. Or `parameters.base_url`. " +
          "Absent: the server's ASSAY_DEFAULT_INFERENCE_URL, if it has one.",
      }),
    ),
    api_key_secret: Type.Optional(SecretRef),
    api_key_env_var: vendorKey(
      Type.String({
        pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
        examples: ["NVIDIA_API_KEY"],
        description:
          "The environment variable with the key, for commands that ask from their own machine. A server does not read it: name a secret.",
      }),
    ),
    ca: Type.Optional(Type.String({ description: "Certificates in PEM that are trusted besides the usual ones." })),
    family: Type.Optional(
      Type.String({
        description: "How it answers when it judges, a family or a vendor's parser name; absent: detected.",
      }),
    ),
    mode: vendorKey(
      enumeration(["chat", "text"], { description: "Judges are asked for chat completions; `text` is refused." }),
    ),
    parameters: Type.Optional(
      Type.Record(AnyName, Type.Unknown(), {
        description:
          "Sent with each request: temperature, max_tokens, … Judges get temperature 0 and 256 tokens otherwise. `base_url` and " +
          "`model_name` say where and what to ask, and are not sent.",
      }),
    ),
    reasoning_config: vendorKey(ReasoningConfig),
    cache: vendorKey(
      Type.Record(AnyName, Type.Unknown(), { description: "Has no effect: each message is judged anew." }),
    ),
  },
  { $id: "GuardrailModel", additionalProperties: false },
)
export type GuardrailModel = Static<typeof GuardrailModel>
