import { Type, type TSchema } from "@sinclair/typebox"
import { AnyName } from "../records/field-types.ts"
import { Pagination } from "../records/page.ts"

/** Returns the schema of a page of entities in the form of the platform's first version. */
export function entityListOf<Item extends TSchema>(item: Item, id: string) {
  return Type.Object(
    {
      object: Type.Literal("list"),
      data: Type.Array(item),
      pagination: Type.Optional(Pagination),
      sort: Type.String(),
      filter: Type.Record(AnyName, Type.Unknown()),
    },
    { $id: id },
  )
}

/** The response to the deletion of an entity. */
export const DeletedEntity = Type.Object(
  { message: Type.String(), id: Type.String(), deleted_at: Type.Union([Type.String(), Type.Null()]) },
  { $id: "DeletedEntity" },
)

/** Returns the response to the deletion of the entity `id`. */
export function deletedEntity(id: string) {
  return { message: "Resource deleted successfully.", id, deleted_at: null }
}
