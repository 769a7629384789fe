import { isObject } from "@assay/json"
import { invalidRequest } from "../errors/assay-error.ts"
import type { CreateFileset, Fileset, UpdateFileset } from "../filesets/fileset.ts"
import type { Filter } from "../filter/filter.ts"
import type { QueryParameter } from "../filter/parse-bracket-filter.ts"
import { parseFilesetFilter } from "../filter/parse-fileset-filter.ts"
import { DATASET_FIELDS, type CreateDataset, type Dataset, type UpdateDataset } from "./dataset.ts"

/** The key of `custom_fields` below which a fileset stores the fields of a dataset that it does not have itself. */
const KEPT_BELOW = "dataset"

const KEPT = Object.keys(DATASET_FIELDS) as (keyof typeof DATASET_FIELDS)[]

/** Returns a fileset in the form of a dataset. */
export function datasetOf(fileset: Fileset): Dataset {
  const { id, name, workspace, description, project, storage, created_at, updated_at } = fileset
  const { [KEPT_BELOW]: below, ...custom_fields } = fileset.custom_fields
  const { format = null, split = null, limit = null } = fieldsIn(below)
  const isRemote = storage.type === "hub"
  return {
    id,
    name,
    namespace: workspace,
    description,
    files_url: `hf://datasets/${isRemote ? `${storage.repo_id}${revisionSuffix(storage.original_revision)}` : `${workspace}/${name}`}`,
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

/** Returns the fileset for a new dataset. Without an `hf_endpoint`, its files are those of the fileset with its name. @throws `invalid_request` */
export function filesetOfDataset(body: CreateDataset, isHere: (endpoint: string) => boolean): CreateFileset {
  const { repository, revision } = repositoryOf(body.files_url)
  const { namespace = "default", hf_endpoint: endpoint } = body
  const name = body.name ?? repository.slice(repository.indexOf("/") + 1)
  const isElsewhere = typeof endpoint === "string" && !isHere(endpoint)
  if (!isElsewhere && repository !== `${namespace}/${name}`) {
    const msg = `Must name the dataset itself, hf://datasets/${namespace}/${name}, or come with the hf_endpoint of another hub`
    throw invalidRequest(["body", "files_url"], msg, "files_url", body.files_url)
  }
  if (!isElsewhere && revision !== undefined && revision !== MAIN) {
    const msg = `Must leave out @${revision}: a dataset of this server has the newest files; clients name a revision when they read`
    throw invalidRequest(["body", "files_url"], msg, "files_url", body.files_url)
  }
  const { description, project, custom_fields } = changesOf(body, {})
  return {
    name,
    purpose: "dataset",
    description: description ?? "",
    project: project ?? "",
    custom_fields: custom_fields ?? {},
    ...(isElsewhere
      ? {
          storage: {
            type: "hub",
            repo_id: repository,
            repo_type: "dataset",
            endpoint,
            ...(revision === undefined ? {} : { revision }),
          },
        }
      : {}),
  }
}

/** Returns the changes to the fileset of a dataset. @throws `invalid_request` if they would move its files */
export function changesOfDataset(body: UpdateDataset, fileset: Fileset): UpdateFileset {
  const { files_url } = body
  if (files_url !== undefined && !isSame(repositoryOf(files_url), repositoryOf(datasetOf(fileset).files_url)))
    throw invalidRequest(["body", "files_url"], "The files of a dataset can't be moved", "files_url", files_url)
  return changesOf(body, fileset.custom_fields)
}

/** Returns the filter for the filesets of a listing of datasets, and the parameters as they were given. @throws the errors of filters */
export function parseDatasetFilter(parameters: readonly QueryParameter[]): {
  readonly filter: Filter | undefined
  readonly given: Readonly<Record<string, unknown>>
} {
  const own = parameters.map(
    ([key, value]) => [key.replace(/^filter\[namespace\]/, "filter[workspace]"), value] as const,
  )
  return {
    filter: parseFilesetFilter([...own, ["filter[purpose]", "dataset"]]),
    given: Object.fromEntries(parameters.map(([key, value]) => [key.replace(/^filter\[?|\]$/g, ""), value])),
  }
}

const MAIN = "main"

interface NamedFiles {
  readonly repository: string
  /** Undefined: not named, which means `main`. */
  readonly revision: string | undefined
}

/** Returns the repository that a `files_url` names, and its revision. @throws `invalid_request` */
function repositoryOf(filesUrl: string): NamedFiles {
  const [, repository, revision] =
    /^hf:\/\/datasets\/([^/\s@]+\/[^/\s@]+)(?:@([^/\s@]{1,200}))?\/?$/.exec(filesUrl) ?? []
  if (repository !== undefined) return { repository, revision }
  const msg =
    "Must be hf://datasets/{namespace}/{name} or hf://datasets/{namespace}/{name}@{revision}; for files at other URLs, create a fileset with its own storage"
  throw invalidRequest(["body", "files_url"], msg, "files_url", filesUrl)
}

function isSame(a: NamedFiles, b: NamedFiles): boolean {
  return a.repository === b.repository && (a.revision ?? MAIN) === (b.revision ?? MAIN)
}

function revisionSuffix(asked: string | null | undefined): string {
  return asked === undefined || asked === null || asked === MAIN ? "" : `@${asked}`
}

/** Returns the changes to a fileset with the custom fields `kept`. */
function changesOf(body: UpdateDataset, kept: Fileset["custom_fields"]) {
  const { description, project, custom_fields } = body
  const given = Object.fromEntries(KEPT.filter((key) => body[key] !== undefined).map((key) => [key, body[key]]))
  const { [KEPT_BELOW]: before, ...others } = kept
  const below = { ...fieldsIn(before), ...given }
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

function fieldsIn(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? { ...value } : {}
}
