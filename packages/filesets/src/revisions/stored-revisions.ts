import type { FilesetUsage } from "@assay/schemas"
import { sql } from "kysely"
import { slot, type Database, type Queries } from "@assay/database"
import { recordUsage } from "../filesets/stored-bytes.ts"
import { collectFiles, type CollectedFiles, type FileListing } from "./collect-files.ts"
import { followingId } from "./commit-id.ts"
import { createFileMemory, type FileMemory } from "./file-memory.ts"
import { filesInMemory, type OrderedFiles } from "./ordered-files.ts"
import type { PieceSizes } from "./pieces/cut-pieces.ts"
import { packFiles, unpackFiles } from "./pieces/piece-format.ts"
import { packPieces, unpackPieces } from "./pieces/piece-list.ts"
import { piecedFiles } from "./pieces/pieced-files.ts"
import { createStoredPieces, recordUses, type StoredPieces } from "./pieces/stored-pieces.ts"
import { revisionOf, type Commit, type Revision } from "./revisions.ts"

/** The revisions of filesets in the database. Recently used ones are also in memory. */
export interface StoredRevisions {
  get(filesetId: string, commit: string): Promise<Revision | undefined>
  /** Returns at most 100 commits, newest first. */
  list(filesetId: string): Promise<readonly Commit[]>
  newest(filesetId: string): Promise<Commit | undefined>
  /**
   * Reads a listing of all files in the order of their paths, and stores its revision as the newest, unless the newest has the same files.
   * If an earlier revision has the same files, the new one still has a commit of its own.
   */
  record(filesetId: string, listing: FileListing): Promise<Revision>
  setTitle(filesetId: string, commit: string, title: string): Promise<void>
  /** Forgets all revisions but the newest and those with a tag. */
  squash(filesetId: string): Promise<void>
}

/** When a revision is stored in pieces, and how it is cut. */
export interface TreeSizes {
  /** Maximum number of files of a revision that is stored and kept in memory as a whole. */
  readonly maxWhole: number
  readonly pieces?: PieceSizes | undefined
}

const TREE_SIZES: TreeSizes = { maxWhole: 100_000 }

/** Files of revisions in memory: about 100 MB. A walk over a revision continues in memory while those of others are used. */
const MAX_FILES = 400_000

/** Maximum number of stored revisions of a fileset. */
const MAX = 100

const COLUMNS = ["commit_id", "created_at", "title", "tree"] as const

const byAge = (queries: Queries, filesetId: string) =>
  queries.selectFrom("file_trees").where("fileset_id", "=", filesetId).orderBy("seq", "desc")

/** Everything that the operations use. */
interface RevisionStore {
  readonly database: Database
  readonly memory: FileMemory<Revision>
  readonly pieces: StoredPieces
  readonly newest: (filesetId: string) => Promise<StoredRow | undefined>
}

/** Writes do not wait for the disk: after a power cut a commit may be unknown, and its client fetches the newest one again. */
export function createStoredRevisions(
  database: Database,
  now: () => number,
  { maxWhole, pieces: sizes }: TreeSizes = TREE_SIZES,
): StoredRevisions {
  const prepared = database.prepare((queries) =>
    queries
      .selectFrom("file_trees")
      .select(COLUMNS)
      .where("fileset_id", "=", slot<string>("fileset_id"))
      .orderBy("seq", "desc")
      .limit(1),
  )
  const store: RevisionStore = {
    database,
    memory: createFileMemory<Revision>({ maxFiles: MAX_FILES, filesOf: ({ files }) => files.held }),
    pieces: createStoredPieces(database, now),
    newest: async (fileset_id) => (await prepared.run({ fileset_id }))[0],
  }

  return {
    get: (filesetId, commit) => getRevision(store, filesetId, commit),
    async list(filesetId) {
      const rows = await database.read((queries) => byAge(queries, filesetId).select(COLUMNS).limit(MAX).execute())
      return rows.map(commitOfRow)
    },
    async newest(filesetId) {
      const row = await store.newest(filesetId)
      return row && commitOfRow(row)
    },
    async record(filesetId, listing) {
      const before = await store.newest(filesetId)
      let known: ReadonlySet<string> | undefined
      const { commit: tree, ...contents } = await collectFiles(listing, {
        maxWhole,
        sizes,
        async store(pieces) {
          known ??= before === undefined ? new Set() : await store.pieces.usedBy(filesetId, before.commit_id)
          const unknown = pieces.filter(({ digest }) => !known?.has(digest))
          if (unknown.length > 0) await store.pieces.put(filesetId, unknown)
        },
      })
      const commit = await commitIdOf(store, filesetId, tree)
      const same = commit === before?.commit_id ? await getRevision(store, filesetId, commit) : undefined
      return same ?? putRevision(store, filesetId, { commit, tree, createdAt: now(), title: "" }, contents)
    },
    setTitle: (filesetId, commit, title) => setTitle(store, { filesetId, commit, title }),
    async squash(filesetId) {
      const dropped = await database.write((queries) => dropRevisions(queries, filesetId, 1))
      for (const old of dropped) store.memory.drop(filesetId, old)
      await store.pieces.removeUnused(filesetId)
    },
  }
}

interface Title {
  readonly filesetId: string
  readonly commit: string
  readonly title: string
}

async function setTitle(store: RevisionStore, { filesetId, commit, title }: Title): Promise<void> {
  const write = (queries: Queries) =>
    queries
      .updateTable("file_trees")
      .set({ title })
      .where((revision) => revision.and({ fileset_id: filesetId, commit_id: commit }))
      .execute()
  await store.database.write(write, { durable: false })
  const revision = await readRevision(store, filesetId, commit)
  if (revision !== undefined) store.memory.put(filesetId, commit, revision)
}

async function getRevision(store: RevisionStore, filesetId: string, commit: string): Promise<Revision | undefined> {
  const known = store.memory.get(filesetId, commit)
  if (known !== undefined) return known
  const revision = await readRevision(store, filesetId, commit)
  if (revision !== undefined) store.memory.put(filesetId, commit, revision)
  return revision
}

async function readRevision(store: RevisionStore, filesetId: string, commit: string): Promise<Revision | undefined> {
  const row = await store.database.read((queries) =>
    queries
      .selectFrom("file_trees")
      .select([...COLUMNS, "files"])
      .where((revision) => revision.and({ fileset_id: filesetId, commit_id: commit }))
      .executeTakeFirst(),
  )
  if (row === undefined) return undefined
  const pieces = await unpackPieces(row.files)
  const collected = pieces === undefined ? { files: await unpackFiles(row.files) } : { pieces }
  return revisionOf(commitOfRow(row), orderedFiles(store, filesetId, commit, collected))
}

function orderedFiles(
  { pieces }: RevisionStore,
  filesetId: string,
  commit: string,
  collected: CollectedFiles,
): OrderedFiles {
  if ("files" in collected) return filesInMemory(collected.files)
  return piecedFiles(collected.pieces, pieces.readerOf(filesetId, commit))
}

/** Returns the id of the newest commit if it has these files, or a new id, which no earlier commit has. */
async function commitIdOf({ database, newest }: RevisionStore, fileset_id: string, tree: string): Promise<string> {
  const last = await newest(fileset_id)
  if (last === undefined || treeOf(last) === tree) return last?.commit_id ?? tree
  const earlier = await database.read((queries) =>
    queries
      .selectFrom("file_trees")
      .select("commit_id")
      .where((revision) => revision.and({ fileset_id, commit_id: tree }))
      .executeTakeFirst(),
  )
  return earlier === undefined ? tree : followingId(tree, last.commit_id)
}

/** Stores a revision as the newest one. */
async function putRevision(
  store: RevisionStore,
  filesetId: string,
  commit: NewCommit,
  { usage, collected }: Contents,
): Promise<Revision> {
  const { database, memory, pieces } = store
  const files = "files" in collected ? await packFiles(collected.files) : await packPieces(collected.pieces)
  const write = async (queries: Queries) => {
    await recordUsage(queries, filesetId, usage)
    const written = await writeRevision(queries, filesetId, commit, files)
    if ("pieces" in collected) {
      await recordUses(queries, database, { filesetId, commit: commit.commit, pieces: collected.pieces })
    }
    return written
  }
  const { row, dropped } = await database.write(write, { durable: false })
  for (const old of dropped) memory.drop(filesetId, old)
  if ("pieces" in collected || dropped.length > 0) await pieces.removeUnused(filesetId)
  const revision = revisionOf(commitOfRow(row), orderedFiles(store, filesetId, commit.commit, collected))
  memory.put(filesetId, commit.commit, revision)
  return revision
}

/** The files of a new revision. */
interface Contents {
  readonly usage: FilesetUsage
  readonly collected: CollectedFiles
}

interface NewCommit extends Commit {
  /** The id of its files, which an earlier commit can have too. */
  readonly tree: string
}

interface StoredRow {
  readonly commit_id: string
  readonly tree: string | null
  readonly created_at: number
  readonly title: string
}

/** Returns the id of the files of a revision. Older versions stored only the commit, which was the same. */
function treeOf({ commit_id, tree }: StoredRow): string {
  return tree ?? commit_id
}

function commitOfRow({ commit_id, created_at, title }: StoredRow): Commit {
  return { commit: commit_id, createdAt: created_at, title }
}

interface WrittenRevision {
  readonly row: StoredRow
  /** Commits that were removed because there are newer ones. */
  readonly dropped: readonly string[]
}

async function writeRevision(
  queries: Queries,
  fileset_id: string,
  commit: NewCommit,
  files: Uint8Array,
): Promise<WrittenRevision> {
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
      tree: commit.tree,
      files,
    })
    .onConflict((conflict) => conflict.columns(["fileset_id", "commit_id"]).doUpdateSet({ seq }))
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return { row, dropped: await dropRevisions(queries, fileset_id, MAX) }
}

/** Removes the revisions of a fileset before its newest ones. Those with a tag stay. Returns the commits that were removed. */
async function dropRevisions(queries: Queries, fileset_id: string, keep: number): Promise<readonly string[]> {
  const oldestKept = byAge(queries, fileset_id)
    .select("seq")
    .limit(1)
    .offset(keep - 1)
  const tagged = queries.selectFrom("fileset_tags").select("commit_id").where("fileset_id", "=", fileset_id)
  const dropped = await queries
    .deleteFrom("file_trees")
    .where("fileset_id", "=", fileset_id)
    .where("seq", "<", sql<number>`(${oldestKept})`)
    .where("commit_id", "not in", tagged)
    .returning("commit_id")
    .execute()
  return dropped.map(({ commit_id }) => commit_id)
}
