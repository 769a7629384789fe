import { Type, type Static } from "@sinclair/typebox"
import { orNull } from "./records/field-types.ts"

/** A record that has changed. */
export const ChangedRecord = Type.Object(
  {
    kind: Type.String({
      description:
        "`filesets`, `jobs`, `evaluation` (targets, configurations, baselines and labels), or the group of operations in the API description that wrote it.",
      examples: ["filesets"],
    }),
    workspace: orNull<string>("string", "Null for what belongs to no workspace, such as a token."),
    name: orNull<string>(
      "string",
      "The name of a fileset, also if its files have changed, or the id of a job. Null: any record of the kind may have changed.",
    ),
  },
  { $id: "ChangedRecord" },
)
export type ChangedRecord = Static<typeof ChangedRecord>

/** A server-sent event of the changes. */
export const ChangeEvent = Type.Object(
  {
    id: Type.String({ description: "Sent as `Last-Event-ID` or `after`, it continues behind this event." }),
    event: Type.Union([Type.Literal("changes"), Type.Literal("refresh"), Type.Literal("beat")], {
      description:
        "`changes` lists records, `refresh` means that anything may have changed, and `beat` says every 2 seconds that nothing has.",
    }),
    data: Type.Object({ changes: Type.Array(ChangedRecord) }),
  },
  { $id: "ChangeEvent" },
)
export type ChangeEvent = Static<typeof ChangeEvent>
