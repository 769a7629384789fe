import { Type, type Static } from "@sinclair/typebox"
import { enumeration, orNull } from "../../records/field-types.ts"

/** Columns that a job can be sliced by. */
export const MAX_SLICE_COLUMNS = 8
/** Maximum number of slices of a column. */
export const MAX_SLICES = 50

const Value = Type.Unsafe<number | "NaN">({ anyOf: [{ type: "number" }, { const: "NaN", type: "string" }] })
const Range = Type.Unsafe<{ low: number; high: number; confidence: number; method: string } | null>({
  anyOf: [
    Type.Object({ low: Type.Number(), high: Type.Number(), confidence: Type.Number(), method: Type.String() }),
    Type.Null(),
  ],
})

/** How a slice differs from all other rows of the task. */
export const SliceDifference = Type.Object({
  value: Type.Number({ description: "The mean of the slice minus the mean of the other rows." }),
  interval: Range,
  p: orNull<number>(
    "number",
    "Fisher's exact test for 0 and 1, else a permutation test, or Welch's t for many values. Null if the slice or the rest has too few rows for a test.",
  ),
  p_adjusted: orNull<number>("number", "After Benjamini and Hochberg, over all tests of the task."),
  is_marked: Type.Boolean({ description: "Whether `p_adjusted` is at most 0.05." }),
})
export type SliceDifference = Static<typeof SliceDifference>

/** The rows with one value of a column. */
export const Slice = Type.Object(
  {
    name: Type.String({
      description:
        "The value of the column. A value that is not a text is written as JSON. `(other)` and `(missing)` for those kinds.",
    }),
    kind: enumeration(["value", "other", "missing"] as const, {
      description: `\`other\`: values beyond the ${MAX_SLICES} with the most rows, and values that are too long. \`missing\`: rows without the column.`,
    }),
    value: Value,
    interval: Range,
    scored: Type.Integer(),
    unreadable: Type.Integer(),
    errored: Type.Integer(),
    difference: Type.Union([SliceDifference, Type.Null()], {
      description: "Null if the slice or the rest has no scores.",
    }),
  },
  { $id: "Slice" },
)
export type Slice = Static<typeof Slice>

/** A score by the values of one column. */
export const ScoreSlices = Type.Object(
  {
    column: Type.String(),
    values: orNull<number>("integer", "Number of values that the rows have; null if they are too many to count."),
    worst: orNull<string>(
      "string",
      "The name of the worst slice: of those marked as worse than the rest, the one whose interval of the difference keeps farthest from 0. Null if none is marked.",
    ),
    groups: Type.Array(Slice, { description: "The values with the most rows first." }),
  },
  { $id: "ScoreSlices" },
)
export type ScoreSlices = Static<typeof ScoreSlices>
