import { type Fileset, formatTimestamp, type HubCommit, type HubRepository } from "@assay/schemas"
import type { Static } from "@sinclair/typebox"
import { type CallerFilesets, type Revision, type RevisionFile, runsOf } from "@assay/filesets"
import { parseRevision, type Repository, type RevisionAddress } from "../hub-address.ts"
import { commitTitle, describeNodes } from "../tree-entry.ts"
import { tagsOf } from "./repository-tags.ts"

export interface DescribeRepositoryOptions {
  /** How to describe the files: not at all, by path, or with sizes and digests. */
  readonly siblings: "none" | "paths" | "blobs"
  /** Whether a token is required to see it. */
  readonly isPrivate: boolean
}

/** Describes a repository, now or at a commit. */
export async function describeRepository(
  registry: CallerFilesets,
  { ws, name, rev }: RevisionAddress,
  { siblings, isPrivate }: DescribeRepositoryOptions,
): Promise<HubRepository> {
  const [fileset, tree] = await Promise.all([
    registry.filesets.get(ws, name),
    registry.revisions.get(ws, name, parseRevision(rev)),
  ])
  return {
    ...describeFileset(fileset, { isPrivate }),
    sha: tree.commit,
    lastModified: formatTimestamp(tree.createdAt),
    ...(siblings === "none" ? {} : { siblings: await describeFiles(registry, { ws, name, tree }, siblings) }),
  }
}

/** Describes a repository by its record alone. The time of its last change is that of the record. */
export function describeFileset(
  fileset: Fileset,
  { isPrivate }: Pick<DescribeRepositoryOptions, "isPrivate">,
): Omit<HubRepository, "sha" | "siblings"> {
  const id = `${fileset.workspace}/${fileset.name}`
  return {
    _id: fileset.id,
    id,
    modelId: id,
    author: fileset.workspace,
    lastModified: fileset.updated_at,
    createdAt: fileset.created_at,
    private: isPrivate,
    gated: false,
    disabled: false,
    downloads: 0,
    likes: 0,
    tags: tagsOf(fileset),
    description: fileset.description,
  }
}

/**
 * Maximum number of files that the description of a repository names: the first ones. Clients of the hub list the tree if a
 * description names more than 50,000.
 */
const MAX_SIBLINGS = 100_000

async function describeFiles(
  registry: CallerFilesets,
  address: Repository & { readonly tree: Revision },
  form: "paths" | "blobs",
): Promise<NonNullable<HubRepository["siblings"]>> {
  const runs: (readonly RevisionFile[])[] = []
  for await (const run of runsOf(address.tree.files, { from: 0, to: MAX_SIBLINGS })) runs.push(run)
  const files = runs.flat()
  if (form === "paths") return files.map(({ path }) => ({ rfilename: path }))
  const nodes = files.map((file) => ({ file }))
  const entries = await describeNodes(registry, { ...address, expand: false }, nodes)
  return entries.map(({ path, size, oid, lfs }) => ({
    rfilename: path,
    size,
    blobId: oid,
    ...(lfs === undefined ? {} : { lfs: { sha256: lfs.oid, size: lfs.size, pointerSize: lfs.pointerSize } }),
  }))
}

export interface CommitPage {
  /** The commit that the revision names. */
  readonly commit: string
  readonly commits: Static<typeof HubCommit>[]
  /** Number of commits of all pages. */
  readonly total: number
  readonly isLast: boolean
}

/** Lists the commits that led to a revision, newest first. @param query `p`: number of the page, from 0 */
export async function listCommits(
  { revisions, history }: Pick<CallerFilesets, "revisions" | "history">,
  { ws, name, rev }: RevisionAddress,
  { limit, p }: { readonly limit: number; readonly p: number },
): Promise<CommitPage> {
  const { commit } = await revisions.get(ws, name, parseRevision(rev))
  const all = await revisions.list(ws, name)
  const led = all.slice(all.findIndex((one) => one.commit === commit))
  const end = (p + 1) * limit
  const shown = led.slice(p * limit, end)
  const authors = await history.authors(
    ws,
    name,
    shown.map((one) => one.commit),
  )
  const authorsOf = (one: string) => [authors.get(one) ?? ""].filter((user) => user !== "").map((user) => ({ user }))
  const commits = shown.map((one) => ({
    id: one.commit,
    title: commitTitle(one),
    message: "",
    authors: authorsOf(one.commit),
    date: formatTimestamp(one.createdAt),
  }))
  return { commit, commits, total: led.length, isLast: end >= led.length }
}
