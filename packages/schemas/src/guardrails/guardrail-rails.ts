import { Type } from "@sinclair/typebox"
import { AnyName } from "../records/field-types.ts"
import { vendorKey } from "./vendor-key.ts"

const Settings = Type.Record(AnyName, Type.Unknown())

const Flows = Type.Optional(
  Type.Array(Type.String({ minLength: 1 }), {
    examples: [["content safety check input $model=content_safety", "self check input"]],
  }),
)

const Parallel = vendorKey(
  Type.Boolean({ description: "Absent and true: side by side. False: one after the other, in the order of `flows`." }),
)

const Streaming = Type.Object(
  {
    enabled: vendorKey(
      Type.Boolean({ description: "False: a streamed answer is held until all of it is judged. Absent: true." }),
    ),
    chunk_size: Type.Optional(Type.Integer({ minimum: 1, default: 200 })),
    context_size: Type.Optional(Type.Integer({ minimum: 0, default: 50 })),
    stream_first: vendorKey(
      Type.Boolean({ description: "True has no effect: text is always judged before it is sent." }),
    ),
  },
  { additionalProperties: false, description: "Windows in characters in which streamed text is judged." },
)

/** Which flows look at what goes into a model and at what comes out of it, and settings of rails. */
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
        description: "Settings of rails by name. Of these `content_safety.reasoning.enabled` is used.",
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
