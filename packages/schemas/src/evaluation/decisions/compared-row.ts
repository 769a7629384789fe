import { Type, type Static } from "@sinclair/typebox"
import { enumeration, orNull } from "../../records/field-types.ts"
import { ROW_FIELDS } from "../rows/scored-row.ts"

/** The order of compared rows. Rows without a difference come last. */
export const ComparedRowSort = enumeration(
  ["changed", "-changed", "difference", "-difference", "index", "-index"] as const,
  {
    default: "changed",
    description:
      "`changed`: the largest difference first, without its sign. `difference`: the rows first that are worst in `b`. `index`: the order of " +
      "the dataset. A leading `-` reverses the order. Rows without a difference come last.",
  },
)
export type ComparedRowSort = Static<typeof ComparedRowSort>

/** How the score of a compared row changed from the first job to the second one. */
export const ComparedRowChange = enumeration(["up", "down", "same"] as const, {
  description: "Only rows whose score is higher, lower or the same in `b`. Rows without a difference are left out.",
})
export type ComparedRowChange = Static<typeof ComparedRowChange>

/** Further jobs whose rows are shown beside those of two compared jobs. */
export const MAX_OTHER_JOBS = 8
/** Characters of the answer of a further job. */
export const MAX_OTHER_OUTPUT = 2000

const OtherSide = Type.Object({
  score: orNull<number>("number", "The score that is compared; null if the row has none."),
  output: orNull<string>("string", `The beginning of its answer, at most ${MAX_OTHER_OUTPUT} characters.`),
  error: Type.Union([Type.Object({ code: Type.String(), message: Type.String() }), Type.Null()]),
})
export type OtherSide = Static<typeof OtherSide>

const ComparedSide = Type.Object({
  ...ROW_FIELDS,
  score: orNull<number>("number", "The score that is compared; null if the row has none."),
})

/** A row that two jobs have. */
export const ComparedRow = Type.Object(
  {
    task: Type.String(),
    row_index: Type.Integer({ description: "From 0, in the order of the dataset." }),
    repeat: Type.Integer({ description: "From 0." }),
    a: ComparedSide,
    b: ComparedSide,
    difference: orNull<number>("number", "The score of `b` minus the score of `a`; null if one of them has none."),
    others: Type.Optional(
      Type.Array(Type.Union([OtherSide, Type.Null()]), {
        description: "The row in each job of `others`, in their order; null if it is not there.",
      }),
    ),
  },
  { $id: "ComparedRow" },
)
export type ComparedRow = Static<typeof ComparedRow>

export const ComparedRowPage = Type.Object(
  {
    object: Type.Literal("list"),
    a: Type.String({ description: "The id of the first job." }),
    b: Type.String({ description: "The id of the second job." }),
    metric: Type.String({ description: "The score that is compared, as `metric.score`." }),
    data: Type.Array(ComparedRow),
    total: Type.Integer({ description: "Number of rows that both jobs have so far. Each repeat counts." }),
    matched: Type.Integer({ description: "Number of them that match the filters." }),
    only_a: Type.Integer({ description: "Number of rows that only the first job has." }),
    only_b: Type.Integer({ description: "Number of rows that only the second job has." }),
    next_offset: orNull<number>("integer", "The offset of the next page; null after the last one."),
  },
  { $id: "ComparedRowPage" },
)
export type ComparedRowPage = Static<typeof ComparedRowPage>
