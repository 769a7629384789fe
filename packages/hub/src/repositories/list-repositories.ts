import { type Fileset, type FilesetSort, type Filter, type HubListedRepository } from "@assay/schemas"
import type { CallerFilesets } from "@assay/filesets"
import type { VisibleWorkspaces } from "@assay/database"
import pLimit from "p-limit"
import { describeFileset, describeRepository, type DescribeRepositoryOptions } from "./describe-repository.ts"
import { filterOfTag } from "./repository-tags.ts"

/** The lists of a hub, and the purpose of the filesets in each: every fileset is in one of them. */
const PURPOSE_OF = { models: "model", datasets: "dataset", spaces: "generic" } as const
export type RepositoryKind = keyof typeof PURPOSE_OF

/** Maximum number of repositories of a page. Pages with files or commits are shorter, because each of their storages is listed. */
const MAX_PAGE = 100
const MAX_DETAILED_PAGE = 20
const LISTED_AT_A_TIME = 4

export interface RepositoriesQuery {
  readonly kind: RepositoryKind
  /** The workspace. Default: all that the caller may see. */
  readonly author: string | undefined
  /** Each is a part of the id. */
  readonly search: readonly string[]
  /** All of them must be tags of the fileset. */
  readonly tags: readonly string[]
  readonly sort: FilesetSort
  /** Maximum number of repositories of a page. */
  readonly limit: number
  /** From 0. */
  readonly page: number
}

/** How to describe each repository. */
export interface ListedForm extends DescribeRepositoryOptions {
  /** Whether to list its storage for its commit. */
  readonly withCommit: boolean
}

export interface RepositoryPage {
  readonly repositories: HubListedRepository[]
  readonly isLast: boolean
}

/**
 * Lists filesets as repositories. Without commits and files, no storage is asked. A repository whose storage fails is listed without them.
 */
export async function listRepositories(
  registry: CallerFilesets,
  { kind, author, search, tags, sort, limit, page }: RepositoriesQuery,
  { visible, ...form }: ListedForm & { readonly visible: VisibleWorkspaces },
): Promise<RepositoryPage> {
  const isDetailed = form.withCommit || form.siblings !== "none"
  const filters = [
    textFilter("purpose", "$eq", PURPOSE_OF[kind]),
    ...(author === undefined ? [] : [textFilter("workspace", "$eq", author)]),
    ...search.filter((text) => text !== "").map(filterOfSearch),
    ...tags.map(filterOfTag),
  ]
  const filter: Filter = { kind: "and", filters }
  const page_size = Math.max(1, Math.min(limit, isDetailed ? MAX_DETAILED_PAGE : MAX_PAGE))
  const { data, pagination } = await registry.filesets.list(
    undefined,
    { page: page + 1, page_size, sort, filter },
    visible,
  )
  const atOnce = pLimit(LISTED_AT_A_TIME)
  const describe = async (fileset: Fileset) =>
    isDetailed ? atOnce(() => describeListed(registry, fileset, form)) : describeFileset(fileset, form)
  return {
    repositories: await Promise.all(data.map(describe)),
    isLast: page + 1 >= (pagination?.total_pages ?? 0),
  }
}

async function describeListed(
  registry: CallerFilesets,
  fileset: Fileset,
  form: DescribeRepositoryOptions,
): Promise<HubListedRepository> {
  try {
    return await describeRepository(registry, { ws: fileset.workspace, name: fileset.name }, form)
  } catch {
    // A storage that does not answer must not hide all other repositories.
    return describeFileset(fileset, form)
  }
}

function textFilter(column: "purpose" | "workspace" | "name", operator: "$eq" | "$like", text: string): Filter {
  const operands = [{ readings: [text], written: text }]
  return { kind: "comparison", field: { column, path: [] }, operator, operands }
}

/** Returns the filter for ids that contain a text. A text with a slash is the end of a workspace and the beginning of a name. */
function filterOfSearch(text: string): Filter {
  const slash = text.indexOf("/")
  if (slash < 0)
    return { kind: "or", filters: [textFilter("name", "$like", text), textFilter("workspace", "$like", text)] }
  const [workspace, name] = [text.slice(0, slash), text.slice(slash + 1)]
  const filters = [
    ...(workspace === "" ? [] : [textFilter("workspace", "$like", workspace)]),
    ...(name === "" ? [] : [textFilter("name", "$like", name)]),
  ]
  return { kind: "and", filters }
}
