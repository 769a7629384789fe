import {
  AnyName,
  enumeration,
  FILESET_SORTS,
  FilesetName,
  invalidRequest,
  Timestamp,
  type CreateFileset,
  type Fileset,
} from "@assay/schemas"
import { Type, type Static } from "@sinclair/typebox"
import { pageQuery } from "../http/route-schemas.ts"
import { Ownership } from "./entity-list.ts"

/** The key of `custom_fields` below which a fileset stores the fields of a dataset that it does not have itself. */
const KEPT_BELOW = "dataset"

const Kept = {
  format: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: "Format of the rows, as free text." })),
  split: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  limit: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()])),
}
const KEPT = Object.keys(Kept) as (keyof typeof Kept)[]

const changeable = {
  ...Kept,
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

export const UpdateDataset = Type.Object(
  { files_url: Type.Optional(FilesUrl), ...changeable },
  { $id: "UpdateDataset", additionalProperties: false },
)
export type UpdateDataset = Static<typeof UpdateDataset>

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

export const ListDatasetsQuery = Type.Intersect([
  pageQuery(10, 100),
  Type.Object({
    sort: enumeration(FILESET_SORTS, { default: "created_at", description: "A leading `-` means descending." }),
    filter: Type.Optional(Type.String({ description: "In brackets: `filter[namespace]=team-a`." })),
  }),
])

/** Returns the repository that a `files_url` names. @throws `invalid_request` */
export function repositoryOf(filesUrl: string): string {
  const [, repository] = /^hf:\/\/datasets\/([^/\s]+\/[^/\s]+)\/?$/.exec(filesUrl) ?? []
  if (repository !== undefined) return repository
  const msg = "Must be hf://datasets/{namespace}/{name}; for files at other URLs, create a fileset with its own storage"
  throw invalidRequest(["body", "files_url"], msg, "files_url", filesUrl)
}

/** Returns the fileset for a new dataset. Without an `hf_endpoint`, its files are those of the fileset with its name. @throws `invalid_request` */
export function filesetBodyOf(body: CreateDataset, isHere: (endpoint: string) => boolean): CreateFileset {
  const repository = repositoryOf(body.files_url)
  const { namespace = "default", hf_endpoint: endpoint } = body
  const name = body.name ?? repository.slice(repository.indexOf("/") + 1)
  const isElsewhere = typeof endpoint === "string" && !isHere(endpoint)
  if (!isElsewhere && repository !== `${namespace}/${name}`) {
    const msg = `Must name the dataset itself, hf://datasets/${namespace}/${name}, or come with the hf_endpoint of another hub`
    throw invalidRequest(["body", "files_url"], msg, "files_url", body.files_url)
  }
  const { description, project, custom_fields } = changesOf(body, {})
  return {
    name,
    purpose: "dataset",
    description: description ?? "",
    project: project ?? "",
    custom_fields: custom_fields ?? {},
    ...(isElsewhere ? { storage: { type: "hub", repo_id: repository, repo_type: "dataset", endpoint } } : {}),
  }
}

/** Returns the changes to the fileset of a dataset. `kept` are its current custom fields. */
export function changesOf(body: UpdateDataset, kept: Fileset["custom_fields"]) {
  const { description, project, custom_fields } = body
  const given = Object.fromEntries(KEPT.filter((key) => body[key] !== undefined).map((key) => [key, body[key]]))
  const { [KEPT_BELOW]: before, ...others } = kept
  const below = { ...(isObject(before) ? before : {}), ...given }
  const isChanged = custom_fields !== undefined || Object.keys(given).length > 0
  const fields = { ...(custom_fields ?? (custom_fields === null ? {} : others)) }
  return {
    ...(description === undefined ? {} : { description: description ?? "" }),
    ...(project === undefined ? {} : { project: project ?? "" }),
    ...(isChanged
      ? { custom_fields: Object.keys(below).length === 0 ? fields : { ...fields, [KEPT_BELOW]: below } }
      : {}),
  }
}

/** Returns a fileset in the form of a dataset. */
export function datasetOf(fileset: Fileset): Dataset {
  const { id, name, workspace, description, project, storage, created_at, updated_at } = fileset
  const { [KEPT_BELOW]: below, ...custom_fields } = fileset.custom_fields
  const { format = null, split = null, limit = null } = isObject(below) ? below : {}
  const isRemote = storage.type === "hub"
  return {
    id,
    name,
    namespace: workspace,
    description,
    files_url: `hf://datasets/${isRemote ? storage.repo_id : `${workspace}/${name}`}`,
    hf_endpoint: isRemote ? (storage.endpoint ?? null) : null,
    format,
    split,
    limit,
    project,
    custom_fields,
    ownership: null,
    created_at,
    updated_at,
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
