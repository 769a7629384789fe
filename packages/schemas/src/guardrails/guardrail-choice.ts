import { Type, type Static } from "@sinclair/typebox"
import { AnyName, enumeration } from "../records/field-types.ts"
import { GuardrailData } from "./guardrail-data.ts"
import { GuardrailModel } from "./guardrail-model.ts"
import { vendorKey } from "./vendor-key.ts"

const Chosen = vendorKey(
  Type.Union([Type.Boolean(), Type.Array(Type.String())], { description: "All, none, or these flows." }),
)

/** The rails to run: `["input"]`, or `{"input": true, "output": ["self check output"]}`. Kinds that an object leaves out run too. */
const RailOptions = Type.Union([
  Type.Array(Type.String(), { examples: [["input", "output"]] }),
  Type.Object(
    { input: Chosen, output: Chosen, retrieval: Chosen, dialog: Chosen, tool_input: Chosen, tool_output: Chosen },
    { additionalProperties: false },
  ),
])
export type RailOptions = Static<typeof RailOptions>

export const GuardrailOptions = Type.Object(
  {
    rails: vendorKey(RailOptions),
    llm_params: vendorKey(
      Type.Record(AnyName, Type.Unknown(), {
        description: "Parameters for the model that answers the chat, besides those of the request.",
      }),
    ),
    log: vendorKey(
      Type.Record(AnyName, Type.Unknown(), {
        description:
          "`llm_calls: true` adds the messages that each judge was asked with. Other keys have no effect: the response always contains " +
          "the activated rails.",
      }),
    ),
    llm_output: vendorKey(Type.Boolean({ description: "Has no effect." })),
    output_vars: vendorKey(Type.Union([Type.Boolean(), Type.Array(Type.String())], { description: "Has no effect." })),
  },
  { $id: "GuardrailOptions", additionalProperties: false },
)
export type GuardrailOptions = Static<typeof GuardrailOptions>

/** The configuration that checks a request: a stored one by name, or one in the request. */
export const GuardrailChoice = Type.Object(
  {
    config_id: vendorKey(
      Type.String({ minLength: 1, description: "A name in the workspace of the path, or `<workspace>/<name>`." }),
    ),
    config_ids: vendorKey(
      Type.Array(Type.String({ minLength: 1 }), {
        minItems: 1,
        description: "One name instead of `config_id`, never together with it. Configurations are not combined.",
      }),
    ),
    config: Type.Optional(
      Type.Union([GuardrailData, Type.String({ minLength: 1, description: "The same as `config_id`." }), Type.Null()]),
    ),
    models: Type.Optional(
      Type.Array(GuardrailModel, {
        description:
          "Replace the configuration's models of the same type; used to set the endpoints of a built-in configuration.",
      }),
    ),
    options: vendorKey(GuardrailOptions),
    rail_types: vendorKey(
      Type.Array(enumeration(["input", "output", "tool_input", "tool_output", "tool_result", "tool_call"]), {
        minItems: 1,
        description:
          "The only kinds of rails to run, each of which the configuration must have; not together with `options.rails`. " +
          "`tool_result` and `tool_call` are other names for `tool_input` and `tool_output`.",
      }),
    ),
    return_choice: vendorKey(
      Type.Boolean({
        description:
          "Returns `guardrails_data` as JSON in a last choice, with the role `guardrails_data`, and not beside the choices. Streams do not have it.",
      }),
    ),
    stream: vendorKey(
      Type.Boolean({ description: "The same as `stream` beside `messages`. Has no effect on checks." }),
    ),
    context: vendorKey(Type.Record(AnyName, Type.Unknown(), { description: "Has no effect: prompts do not read it." })),
    state: vendorKey(
      Type.Record(AnyName, Type.Unknown(), {
        description: "Has no effect: each request is judged by its own messages.",
      }),
    ),
  },
  { $id: "GuardrailChoice", additionalProperties: false },
)
export type GuardrailChoice = Static<typeof GuardrailChoice>
