import { Type, type Static } from "@sinclair/typebox"
import { AnyName, Timestamp } from "../records/field-types.ts"
import { FilesetName } from "../filesets/fileset.ts"
import { SameName } from "../requests/same-name.ts"
import { Ownership } from "./namespace.ts"
import { numberField } from "../records/number-field.ts"

/** Fields of a dataset that a fileset does not have itself. */
export const DATASET_FIELDS = {
  format: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: "Format of the rows, as free text." })),
  split: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  limit: Type.Optional(Type.Union([numberField("offset"), Type.Null()])),
}

const changeable = {
  ...DATASET_FIELDS,
  description: Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), Type.Null()])),
  project: Type.Optional(Type.Union([Type.String({ maxLength: 255 }), Type.Null()])),
  custom_fields: Type.Optional(Type.Union([Type.Record(AnyName, Type.Unknown()), Type.Null()])),
  ownership: Type.Optional(Ownership),
}

const FilesUrl = Type.String({
  examples: ["hf://datasets/default/reviews"],
  description:
    "`hf://datasets/{namespace}/{name}`: the dataset itself or, with an `hf_endpoint` of another hub, any repository there.",
})

/** A request to register a dataset. */
export const CreateDataset = Type.Object(
  {
    files_url: FilesUrl,
    name: Type.Optional(FilesetName),
    namespace: Type.Optional(Type.String({ default: "default" })),
    hf_endpoint: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: "The hub with the files; absent: this server." }),
    ),
    ...changeable,
  },
  { $id: "CreateDataset", additionalProperties: false },
)
export type CreateDataset = Static<typeof CreateDataset>

/** A change of a dataset. */
export const UpdateDataset = Type.Object(
  { name: SameName, namespace: SameName, files_url: Type.Optional(FilesUrl), ...changeable },
  { $id: "UpdateDataset", additionalProperties: false },
)
export type UpdateDataset = Static<typeof UpdateDataset>

/** A fileset in the form of a dataset of the platform's first version. */
export const Dataset = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    namespace: Type.String(),
    description: Type.String(),
    files_url: Type.String(),
    hf_endpoint: Type.Union([Type.String(), Type.Null()]),
    format: Type.Unknown(),
    split: Type.Unknown(),
    limit: Type.Unknown(),
    project: Type.String(),
    custom_fields: Type.Record(AnyName, Type.Unknown()),
    ownership: Type.Null(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: "Dataset" },
)
export type Dataset = Static<typeof Dataset>
