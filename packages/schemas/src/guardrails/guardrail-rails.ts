import { Type } from "@sinclair/typebox"
import { AnyName } from "../records/field-types.ts"
import { vendorKey } from "./vendor-key.ts"
import { numberField } from "../records/number-field.ts"

const Settings = Type.Record(AnyName, Type.Unknown())

const Flows = Type.Optional(
  Type.Array(Type.String({ minLength: 1 }), {
    examples: [["content safety check input $model=content_safety", "self check input"]],
  }),
)

const ToolFlows = (examples: string[][]) => Type.Optional(Type.Array(Type.String({ minLength: 1 }), { examples }))

const PerTool = vendorKey(
  Type.Record(AnyName, Type.Array(Type.String({ minLength: 1 })), {
    description: "Flows of one tool by its name: patterns of `config.regex_detection`.",
  }),
)

const Parallel = vendorKey(
  Type.Boolean({ description: "Absent or true: in parallel. False: one after another, in the order of `flows`." }),
)

const Streaming = Type.Object(
  {
    enabled: vendorKey(
      Type.Boolean({ description: "False: a streamed answer is held back until all of it is judged. Absent: true." }),
    ),
    chunk_size: Type.Optional(numberField("count", { default: 200 })),
    context_size: Type.Optional(numberField("offset", { default: 50 })),
    stream_first: vendorKey(
      Type.Boolean({ description: "True has no effect: text is always judged before it is sent." }),
    ),
  },
  { additionalProperties: false, description: "The windows, in characters, in which streamed text is judged." },
)

/** The flows that check the input and the output of a model, and the settings of rails. */
export const GuardrailRails = Type.Object(
  {
    input: Type.Optional(Type.Object({ flows: Flows, parallel: Parallel }, { additionalProperties: false })),
    output: Type.Optional(
      Type.Object(
        {
          flows: Flows,
          parallel: Parallel,
          streaming: Type.Optional(Streaming),
          apply_to_reasoning_traces: vendorKey(Type.Boolean()),
        },
        { additionalProperties: false },
      ),
    ),
    config: vendorKey(
      Type.Record(AnyName, Type.Unknown(), {
        description:
          "Settings of rails by name. Only `content_safety.reasoning.enabled` and `regex_detection` are used.",
      }),
    ),
    dialog: vendorKey(Settings),
    retrieval: vendorKey(Settings),
    actions: vendorKey(Settings),
    tool_input: vendorKey(
      Type.Object(
        { flows: ToolFlows([["tool result validation"]]), per_tool: PerTool, parallel: vendorKey(Type.Boolean()) },
        { additionalProperties: false, description: "Rules for results of tools in the messages of a request." },
      ),
    ),
    tool_output: vendorKey(
      Type.Object(
        { flows: ToolFlows([["tool call validation"]]), per_tool: PerTool, parallel: vendorKey(Type.Boolean()) },
        { additionalProperties: false, description: "Rules for the calls of tools in an answer." },
      ),
    ),
  },
  { additionalProperties: false },
)
