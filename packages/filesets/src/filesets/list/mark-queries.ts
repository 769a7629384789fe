import { sql } from "kysely"
import { slot, type Database, type PreparedQuery } from "@assay/database"
import type { FilesetRow } from "../fileset-row.ts"
import { isInScope, type PagePlan } from "./page-plan.ts"
import { countsQuery, isAfter, matchingFilesets, numberSlot, type ListCounts, type PageMark } from "./page-queries.ts"

/** A row of a listing and its number, counted from 1 after the row at which the reading began. */
export interface NumberedRow extends PageMark {
  readonly number: number
}

/** A fileset that is new in a scope. */
export type NewRow = Pick<FilesetRow, "id" | "name" | "created_at" | "updated_at" | "purpose" | "storage_type"> & {
  readonly seq: number
}

type Counted<Row> = PreparedQuery<readonly [readonly ListCounts[], readonly Row[]]>

/** The queries for the marks of a listing. The counts of each are of the same moment as its rows. */
export interface MarkQueries {
  /** The `seq` of the newest fileset of the database. */
  readonly newest: Counted<{ readonly seq: number }>
  /** Every row of a listing whose number is a multiple of `interval`, of its first `limit` rows. */
  readonly first: Counted<NumberedRow>
  /** The same after the row with `value` and `id`. */
  readonly after: Counted<NumberedRow>
  /** At most `limit` filesets of the scope with a `seq` above `offset`, in its order. */
  readonly news: Counted<NewRow>
}

export function prepareMarkQueries(
  database: Database,
  { shape }: Pick<PagePlan, "shape">,
  interval: number,
): MarkQueries {
  const { dialect } = database
  const counted = { ...shape, candidates: undefined, source: "order", start: "mark", total: "counts" } as const
  const { column, direction } = shape.order
  const inOrder = sql`${sql.ref(column)} ${sql.raw(direction)}, id`

  const numbered = (isFirst: boolean): Counted<NumberedRow> =>
    database.prepareTogether<ListCounts, NumberedRow>((queries) => {
      const all = matchingFilesets(queries, counted, dialect, "order")
      const rows = (isFirst ? all : all.where(isAfter(shape.order, slot("value"), slot("id"))))
        .select(["id", column])
        .orderBy(column, direction)
        .orderBy("id")
        .limit(numberSlot("limit"))
      const number = sql<number>`row_number() over (order by ${inOrder})`
      const marked = queries
        .selectFrom(
          queries
            .selectFrom(rows.as("rows"))
            .select(["id", `${column} as value`, number.as("number")])
            .as("numbered"),
        )
        .select(["id", "value", "number"])
        .where(sql<boolean>`number % ${sql.lit(interval)} = 0`)
        .orderBy("number")
      return [countsQuery(queries, counted, dialect), marked]
    })

  return {
    first: numbered(true),
    after: numbered(false),
    newest: database.prepareTogether((queries) => [
      countsQuery(queries, counted, dialect),
      queries.selectFrom("filesets").select(sql<number>`coalesce(max(seq), 0)`.as("seq")),
    ]),
    news: database.prepareTogether<ListCounts, NewRow>((queries) => [
      countsQuery(queries, counted, dialect),
      queries
        .selectFrom("filesets")
        .select(["seq", "id", "name", "created_at", "updated_at", "purpose", "storage_type"])
        .where("seq", ">", numberSlot("offset"))
        .where(isInScope(dialect.unindexed(sql.ref("filesets.workspace")), shape.scope))
        .orderBy("seq")
        .limit(numberSlot("limit")),
    ]),
  }
}
