import { promisify } from "node:util"
import { gunzip, gzip } from "node:zlib"
import { sql } from "kysely"
import type { Database, Queries } from "../database/database.ts"
import { slot } from "../database/prepared-query.ts"
import { createTreeMemory } from "./revision-memory.ts"
import { treeOf } from "./revision-of.ts"
import type { Commit, Tree, TreeFile } from "./revisions.ts"

/** The trees of filesets, in the database; those that were used last also in memory. */
export interface KeptTrees {
  get(filesetId: string, commit: string): Promise<Tree | undefined>
  /** Newest first. */
  list(filesetId: string): Promise<readonly Commit[]>
  newest(filesetId: string): Promise<Commit | undefined>
  /** Keeps a tree as the newest. One that was seen before keeps its time and title. */
  put(filesetId: string, commit: Commit, files: readonly TreeFile[]): Promise<Tree>
  /** Gives a tree a title. */
  entitle(filesetId: string, commit: string, title: string): Promise<void>
}

/** Trees of a fileset that are kept. */
const MAX = 100

const COLUMNS = ["commit_id", "created_at", "title"] as const

const byAge = (queries: Queries, filesetId: string) =>
  queries.selectFrom("file_trees").where("fileset_id", "=", filesetId).orderBy("seq", "desc")

/**
 * What is kept does not wait for the disk: after a power cut a commit may be unknown, and its client asks for the newest
 * one again.
 */
export function createKeptTrees(database: Database): KeptTrees {
  const memory = createTreeMemory()
  const newest = database.prepare((queries) =>
    queries
      .selectFrom("file_trees")
      .select(COLUMNS)
      .where("fileset_id", "=", slot<string>("fileset_id"))
      .orderBy("seq", "desc")
      .limit(1),
  )

  async function read(filesetId: string, commit: string): Promise<Tree | undefined> {
    const row = await database.read((queries) =>
      queries
        .selectFrom("file_trees")
        .select([...COLUMNS, "files"])
        .where((tree) => tree.and({ fileset_id: filesetId, commit_id: commit }))
        .executeTakeFirst(),
    )
    return row && treeOf(commitOfRow(row), await parseTree(row.files))
  }

  return {
    async get(filesetId, commit) {
      const known = memory.get(filesetId, commit)
      if (known !== undefined) return known
      const tree = await read(filesetId, commit)
      if (tree !== undefined) memory.put(filesetId, tree)
      return tree
    },
    async list(filesetId) {
      const rows = await database.read((queries) => byAge(queries, filesetId).select(COLUMNS).limit(MAX).execute())
      return rows.map(commitOfRow)
    },
    async newest(fileset_id) {
      const [row] = await newest.run({ fileset_id })
      return row && commitOfRow(row)
    },
    async put(filesetId, commit, files) {
      const bytes = await formatTree(files)
      const write = (queries: Queries) => writeTree(queries, filesetId, commit, bytes)
      const { row, dropped } = await database.write(write, { durable: false })
      for (const old of dropped) memory.drop(filesetId, old)
      const tree = treeOf(commitOfRow(row), files)
      memory.put(filesetId, tree)
      return tree
    },
    async entitle(fileset_id, commit_id, title) {
      const write = (queries: Queries) =>
        queries
          .updateTable("file_trees")
          .set({ title })
          .where((tree) => tree.and({ fileset_id, commit_id }))
          .execute()
      await database.write(write, { durable: false })
      const tree = await read(fileset_id, commit_id)
      if (tree !== undefined) memory.put(fileset_id, tree)
    },
  }
}

interface StoredRow {
  readonly commit_id: string
  readonly created_at: number
  readonly title: string
}

function commitOfRow({ commit_id, created_at, title }: StoredRow): Commit {
  return { commit: commit_id, createdAt: created_at, title }
}

interface WrittenTree {
  readonly row: StoredRow
  /** Commits that are not kept any more. */
  readonly dropped: readonly string[]
}

async function writeTree(
  queries: Queries,
  fileset_id: string,
  commit: Commit,
  files: Uint8Array,
): Promise<WrittenTree> {
  const last = await byAge(queries, fileset_id).select("seq").limit(1).executeTakeFirst()
  const seq = (last?.seq ?? 0) + 1
  const row = await queries
    .insertInto("file_trees")
    .values({
      fileset_id,
      commit_id: commit.commit,
      seq,
      created_at: commit.createdAt,
      title: commit.title,
      files,
    })
    .onConflict((conflict) => conflict.columns(["fileset_id", "commit_id"]).doUpdateSet({ seq }))
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  const oldestKept = byAge(queries, fileset_id)
    .select("seq")
    .limit(1)
    .offset(MAX - 1)
  const dropped = await queries
    .deleteFrom("file_trees")
    .where("fileset_id", "=", fileset_id)
    .where("seq", "<", sql<number>`(${oldestKept})`)
    .returning("commit_id")
    .execute()
  return { row, dropped: dropped.map(({ commit_id }) => commit_id) }
}

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/** Speed before size: what is long in a tree are digests, and those can't be compressed. */
const FASTEST = 1

/** The files of a tree as the database keeps them: a compressed JSON array of arrays. Most versions are the digest. */
export async function formatTree(files: readonly TreeFile[]): Promise<Uint8Array> {
  const rows = files.map(({ path, size, version, sha256 }) => {
    return version === `"${sha256}"` ? [path, size, sha256] : [path, size, sha256, version]
  })
  return compress(JSON.stringify(rows), { level: FASTEST })
}

type StoredFileColumns = readonly [path: string, size: number, sha256: string | null, version?: string]

export async function parseTree(bytes: Uint8Array): Promise<readonly TreeFile[]> {
  const rows = JSON.parse((await decompress(bytes)).toString()) as readonly StoredFileColumns[]
  return rows.map(([path, size, sha256, version = `"${sha256}"`]) => ({ path, size, version, sha256 }))
}
