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
        description: "Settings of rails by name. Only `content_safety.reasoning.enabled` is used.",
      }),
    ),
    dialog: vendorKey(Settings),
    retrieval: vendorKey(Settings),
    actions: vendorKey(Settings),
    tool_input: vendorKey(Settings),
    tool_output: vendorKey(Settings),
  },
  { additionalProperties: false },
)
