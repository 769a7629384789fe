import { AnyName, Pagination } from "@assay/schemas"
import { Type, type TSchema } from "@sinclair/typebox"

/** A page of entities as the platform's first version lists them. */
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

export function deletedEntity(id: string) {
  return { message: "Resource deleted successfully.", id, deleted_at: null }
}

/** Who made an entity. Rights are the tokens' here, so nothing is kept of it. */
export const Ownership = Type.Union([Type.Record(AnyName, Type.Unknown()), Type.Null()])
