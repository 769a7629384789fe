import { Type, type Static } from "@sinclair/typebox"
import { AnyName, enumeration } from "../records/field-types.ts"
import { SecretRef } from "../access/secret.ts"
import { vendorKey } from "./vendor-key.ts"

/** How a model marks its reasoning. */
const ReasoningConfig = Type.Object(
  {
    remove_reasoning_traces: vendorKey(Type.Boolean()),
    remove_thinking_traces: vendorKey(Type.Boolean()),
    start_token: vendorKey(Type.String({ minLength: 1, maxLength: 100, examples: ["<think>"] })),
    end_token: vendorKey(Type.String({ minLength: 1, maxLength: 100, examples: ["</think>"] })),
  },
  {
    additionalProperties: false,
    description: "Text of a judge between `start_token` and `end_token` is never part of its verdict.",
  },
)

/**
 * A model that a guardrail asks. The model `main` is used for self-checks unless a flow names another one. Its endpoint also answers
 * guarded chat, with the model that the request names.
 */
export const GuardrailModel = Type.Object(
  {
    type: Type.String({
      minLength: 1,
      examples: ["main", "content_safety"],
      description:
        "The name that flows use. A model of type `self_check_input` or `self_check_output` is used for that self-check.",
    }),
    engine: Type.Optional(
      Type.String({ default: "openai", description: "Any text; all engines are asked in the same way." }),
    ),
    model: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          "The name of the model at its endpoint. Can also be in `parameters.model_name`. For `main`, the model that is used if a request names none.",
      }),
    ),
    pinned: Type.Optional(
      Type.Boolean({
        description:
          "For `main`: chat uses only this model, and a request that names another one is refused. Absent: not pinned.",
      }),
    ),
    url: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          "A base URL such as https://host/v1, or the whole …/chat/completions, without user name and password. Can also be in `parameters.base_url`. " +
          "Absent: the server's ASSAY_DEFAULT_INFERENCE_URL, if it has one.",
      }),
    ),
    api_key_secret: Type.Optional(SecretRef),
    api_key_env_var: vendorKey(
      Type.String({
        pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
        examples: ["NVIDIA_API_KEY"],
        description:
          "The environment variable with the key, for commands on the user's machine. A server does not read it; use a secret.",
      }),
    ),
    ca: Type.Optional(Type.String({ description: "PEM certificates that are trusted besides the usual ones." })),
    family: Type.Optional(
      Type.String({
        description: "The form of its answers as a judge: a family or a vendor's parser name. Absent: detected.",
      }),
    ),
    mode: vendorKey(
      enumeration(["chat", "text"], { description: "Judges are asked with chat completions; `text` is refused." }),
    ),
    parameters: Type.Optional(
      Type.Record(AnyName, Type.Unknown(), {
        description:
          "Sent with each request: temperature, max_tokens, … Without them, judges get temperature 0 and 256 tokens. `base_url` and " +
          "`model_name` set the endpoint and the model, and are not sent.",
      }),
    ),
    reasoning_config: vendorKey(ReasoningConfig),
    cache: vendorKey(
      Type.Record(AnyName, Type.Unknown(), { description: "Has no effect: each message is judged again." }),
    ),
  },
  { $id: "GuardrailModel", additionalProperties: false },
)
export type GuardrailModel = Static<typeof GuardrailModel>
