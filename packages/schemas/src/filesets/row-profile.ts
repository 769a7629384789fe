import { Type, type Static } from "@sinclair/typebox"
import { AnyName, orNull } from "../records/field-types.ts"

/** The profile of one column (a location within rows) over all rows. */
export const ProfileColumn = Type.Object(
  {
    pointer: Type.String({ description: "JSON pointer into the row; `*` means every element of an array." }),
    types: Type.Record(AnyName, Type.Integer(), {
      description:
        "Number of values of each type: null, boolean, integer, number, string, array, object. Null is counted here.",
    }),
    missing: Type.Integer({ description: "Number of parent objects without this key. Null is not missing." }),
    distinct: Type.Integer({
      description: "Number of different values; null is one, arrays and objects are not counted.",
    }),
    estimated: Type.Boolean({ description: "Whether `distinct` and the counts of `top` are estimates." }),
    top: Type.Array(Type.Object({ value: Type.Unknown(), count: Type.Integer() }), {
      description: "The most frequent values, the most frequent one first.",
    }),
    min: orNull<number>("number", "Smallest number; null if there is none."),
    max: orNull<number>("number", "Largest number."),
    lengths: Type.Unsafe<{ readonly min: number; readonly max: number; readonly mean: number } | null>({
      type: ["object", "null"],
      properties: { min: { type: "integer" }, max: { type: "integer" }, mean: { type: "number" } },
      required: ["min", "max", "mean"],
      description: "Characters of strings and elements of arrays; null if there are neither.",
    }),
    histogram: Type.Optional(
      Type.Object(
        {
          bins: Type.Array(
            Type.Object({ lower_bound: Type.Number(), upper_bound: Type.Number(), count: Type.Integer() }),
          ),
        },
        {
          description:
            "The numbers of a column with more than 20 different values, in at most 24 bins of one width: each from `lower_bound` to before `upper_bound`.",
        },
      ),
    ),
  },
  { $id: "ProfileColumn" },
)
export type ProfileColumn = Static<typeof ProfileColumn>

/** The profile of a fileset's rows, column by column. */
export const RowProfile = Type.Object(
  {
    files: Type.Array(
      Type.Object({
        path: Type.String(),
        rows: Type.Integer(),
        unreadable: Type.Integer({ description: "Rows that can't be read. They are in no column." }),
        notes: Type.Optional(
          Type.Array(Type.String(), { description: "How the file is read if that is not the usual way for its name." }),
        ),
      }),
    ),
    columns: Type.Array(ProfileColumn, { description: "In the order in which they were found." }),
    columns_truncated: Type.Boolean({ description: "Whether there are more columns than are listed." }),
  },
  { $id: "RowProfile" },
)
export type RowProfile = Static<typeof RowProfile>
