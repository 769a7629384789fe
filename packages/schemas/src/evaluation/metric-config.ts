import { Type, type Static } from "@sinclair/typebox"
import { AnyName } from "../records/field-types.ts"

export const MetricConfig = Type.Object(
  {
    type: Type.String({ minLength: 1, examples: ["string-check"] }),
    params: Type.Optional(Type.Record(AnyName, Type.Unknown())),
    when: Type.Optional(
      Type.String({
        minLength: 1,
        examples: ["{{ item.reference }}"],
        description:
          "A template. The metric scores only rows for which it has a value: neither null, false, 0, nor an empty text, list or object. Default: all rows.",
      }),
    ),
    labels: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        examples: ["default/labels"],
        description:
          "The fileset with labels of people that correct the scores of this metric: `workspace/name`, or `name` in the workspace of the job, and `#path` for another file than `labels.jsonl`. `assay eval run` also takes a file or a folder of its machine, such as `./labels.jsonl`. The scores stay as they are, and get `corrected` beside them.",
      }),
    ),
  },
  { $id: "MetricConfig", additionalProperties: true },
)
export type MetricConfig = Static<typeof MetricConfig>
