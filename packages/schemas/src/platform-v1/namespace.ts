import { Type } from "@sinclair/typebox"
import { AnyName, Timestamp } from "../records/field-types.ts"
import { SameName } from "../requests/same-name.ts"
import { WorkspaceName } from "../workspaces/workspace.ts"

/** The owner of an entity. It is not stored, because rights depend on tokens here. */
export const Ownership = Type.Union([Type.Record(AnyName, Type.Unknown()), Type.Null()])

/** A workspace in the form of a namespace of the platform's first version. */
export const Namespace = Type.Object(
  {
    id: Type.String({ description: "The name of the workspace." }),
    created_at: Timestamp,
    updated_at: Timestamp,
    description: Type.String(),
    project: Type.Null(),
    custom_fields: Type.Record(AnyName, Type.Unknown()),
    ownership: Type.Null(),
  },
  { $id: "Namespace" },
)

const changeable = {
  description: Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), Type.Null()])),
  project: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  custom_fields: Type.Optional(Type.Union([Type.Record(AnyName, Type.Unknown()), Type.Null()])),
  ownership: Type.Optional(Ownership),
}

/** A request to create a namespace. */
export const CreateNamespace = Type.Object({ id: WorkspaceName, ...changeable }, { additionalProperties: false })

/** A change of a namespace. */
export const UpdateNamespace = Type.Object({ id: SameName, ...changeable }, { additionalProperties: false })

/** A workspace in the form of a namespace of the data store. */
export const DataStoreNamespace = Type.Object(
  {
    namespace: Type.String({ description: "The name of the workspace." }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: "DataStoreNamespace" },
)
