import { Type, type Static } from "@sinclair/typebox"

/** What a harness may use, with all the processes that it starts. */
export const HarnessLimits = Type.Object(
  {
    memory: Type.Optional(Type.Integer({ minimum: 16_777_216, description: "Bytes of memory." })),
    cpu: Type.Optional(Type.Number({ exclusiveMinimum: 0, description: "Seconds of processor time, over all cores." })),
    processes: Type.Optional(Type.Integer({ minimum: 1, description: "Processes and threads at a time." })),
    disk: Type.Optional(
      Type.Integer({ minimum: 1_048_576, description: "Bytes on disk in its working folder and `/tmp`." }),
    ),
  },
  { $id: "HarnessLimits", additionalProperties: false },
)
export type HarnessLimits = Static<typeof HarnessLimits>
