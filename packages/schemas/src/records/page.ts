import { Type, type Static, type TSchema } from "@sinclair/typebox"
import { AnyName } from "./field-types.ts"

/** The position of a page in all results. */
export const Pagination = Type.Object(
  {
    page: Type.Integer({ description: "Current page number, from 1." }),
    page_size: Type.Integer({ description: "Page size used for the query." }),
    current_page_size: Type.Integer({ description: "Records on this page." }),
    total_pages: Type.Integer({ description: "0 when there is no result." }),
    total_results: Type.Integer(),
  },
  { $id: "Pagination" },
)
export type Pagination = Static<typeof Pagination>

/** Creates the schema of a page of records. */
export function pageOf<T extends TSchema>(record: T, id: string) {
  return Type.Object(
    {
      data: Type.Array(record),
      pagination: Type.Optional(Pagination),
      sort: Type.Optional(Type.String({ description: "The sort used." })),
      filter: Type.Optional(
        Type.Record(AnyName, Type.Unknown(), { description: "The filter applied, in its JSON form." }),
      ),
    },
    { $id: id },
  )
}

/** The sort orders of workspaces, projects, secrets and guardrail configurations. */
export const RECORD_SORTS = ["name", "-name", "created_at", "-created_at", "updated_at", "-updated_at"] as const
export type RecordSort = (typeof RECORD_SORTS)[number]

/** Returns the pagination of page `page`, which has `current` of `total` records. */
export function paginate(page: number, pageSize: number, current: number, total: number): Pagination {
  return {
    page,
    page_size: pageSize,
    current_page_size: current,
    total_pages: Math.ceil(total / pageSize),
    total_results: total,
  }
}
