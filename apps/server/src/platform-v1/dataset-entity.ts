import {
  type CreateDataset,
  type CreateFileset,
  type Dataset,
  DATASET_FIELDS,
  enumeration,
  type Fileset,
  FILESET_SORTS,
  invalidRequest,
  isObject,
  type UpdateDataset,
} from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import { pageQuery } from "../http/route-schemas.ts"

/** The key of `custom_fields` below which a fileset stores the fields of a dataset that it does not have itself. */
const KEPT_BELOW = "dataset"

const KEPT = Object.keys(DATASET_FIELDS) as (keyof typeof DATASET_FIELDS)[]

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
