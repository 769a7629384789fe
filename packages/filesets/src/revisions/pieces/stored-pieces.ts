import { setImmediate as nextTurn } from "node:timers/promises"
import { AssayError } from "@assay/schemas"
import { sql } from "kysely"
import type { Database, Queries } from "@assay/database"
import { createFileMemory } from "../file-memory.ts"
import type { RevisionFile } from "../revision-file.ts"
import type { CutPiece } from "./cut-pieces.ts"
import { hasMark, marksOf, markOf, packText, unpackFiles } from "./piece-format.ts"
import type { PieceReader } from "./pieced-files.ts"
import type { TreePiece } from "./piece-list.ts"

/** The pieces of large revisions in the database. Recently used ones are also in memory. */
export interface StoredPieces {
  /** Stores pieces, and sees those again that are stored already. */
  put(filesetId: string, pieces: readonly CutPiece[]): Promise<void>
  /** Returns the digests of the pieces of a revision. */
  usedBy(filesetId: string, commit: string): Promise<ReadonlySet<string>>
  /** Reads the pieces of a revision. */
  readerOf(filesetId: string, commit: string): PieceReader
  /** Removes the pieces that no revision has and no listing has seen for a day. */
  removeUnused(filesetId: string): Promise<void>
}

/** About 30 MB: all files that the description of a repository names, which would else be read again for each description. */
const MAX_FILES = 120_000

/** Milliseconds. A listing stores its pieces before its revision, so it must take less than this time. */
const UNUSED_MS = 86_400_000

/** Pieces whose marks are read together: about 1.5 MB. */
const MARKED = 256

/** Pieces that are removed in one transaction. */
const GROUP = 64

export function createStoredPieces(database: Database, now: () => number): StoredPieces {
  const memory = createFileMemory<readonly RevisionFile[]>({ maxFiles: MAX_FILES, filesOf: (files) => files.length })

  async function read(fileset_id: string, digest: string): Promise<readonly RevisionFile[]> {
    const known = memory.get(fileset_id, digest)
    if (known !== undefined) return known
    const row = await database.read((queries) =>
      queries
        .selectFrom("file_pieces")
        .select("files")
        .where((piece) => piece.and({ fileset_id, digest }))
        .executeTakeFirst(),
    )
    if (row === undefined) throw removedMeanwhile(fileset_id)
    const files = await unpackFiles(row.files)
    memory.put(fileset_id, digest, files)
    return files
  }

  return {
    async put(fileset_id, pieces) {
      const seen_at = now()
      const rows: Parameters<typeof insert>[1][number][] = []
      for (const { digest, files, json } of pieces) {
        rows.push({ fileset_id, digest, seen_at, marks: marksOf(files), files: await packText(json) })
      }
      await database.write((queries) => insert(queries, rows), { durable: false })
    },
    async usedBy(fileset_id, commit_id) {
      const rows = await database.read((queries) =>
        queries
          .selectFrom("file_piece_uses")
          .select("digest")
          .where((use) => use.and({ fileset_id, commit_id }))
          .execute(),
      )
      return new Set(rows.map(({ digest }) => digest))
    },
    readerOf: (fileset_id, commit_id) => ({
      read: (digest) => read(fileset_id, digest),
      find: (sha256s) => findMarked(database, fileset_id, commit_id, new Set([...sha256s].map(markOf))),
    }),
    removeUnused: (filesetId) => removeUnusedPieces(database, filesetId, now),
  }
}

/** Returns the digests of the pieces of a revision that have one of the marks. */
async function findMarked(
  database: Database,
  fileset_id: string,
  commit_id: string,
  marks: ReadonlySet<number>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  let last: string | undefined = ""
  while (last !== undefined) {
    const after: string = last
    const rows = await database.read((queries) =>
      queries
        .selectFrom("file_piece_uses as uses")
        .innerJoin("file_pieces as pieces", (join) =>
          join.onRef("pieces.fileset_id", "=", "uses.fileset_id").onRef("pieces.digest", "=", "uses.digest"),
        )
        .select(["uses.digest", "pieces.marks"])
        .where("uses.fileset_id", "=", fileset_id)
        .where("uses.commit_id", "=", commit_id)
        .where("uses.digest", ">", after)
        .orderBy("uses.digest")
        .limit(MARKED)
        .execute(),
    )
    for (const row of rows) if (hasMark(row.marks, marks)) found.add(row.digest)
    last = rows.at(-1)?.digest
    await nextTurn()
  }
  return found
}

async function removeUnusedPieces(database: Database, filesetId: string, now: () => number): Promise<void> {
  try {
    let removed = GROUP
    while (removed === GROUP) {
      const remove = (queries: Queries) => removeGroup(queries, filesetId, now() - UNUSED_MS)
      removed = await database.write(remove, { durable: false })
    }
  } catch (error) {
    // Another server stores a revision with one of these pieces. The next revision tries again.
    if (database.dialect.failureOf(error) !== "missing_parent") throw error
  }
}

interface PieceRow {
  readonly fileset_id: string
  readonly digest: string
  readonly seen_at: number
  readonly marks: Uint8Array
  readonly files: Uint8Array
}

async function insert(queries: Queries, rows: readonly PieceRow[]): Promise<void> {
  for (const row of rows) {
    await queries
      .insertInto("file_pieces")
      .values(row)
      .onConflict((conflict) => conflict.columns(["fileset_id", "digest"]).doUpdateSet({ seen_at: row.seen_at }))
      .execute()
  }
}

/** Records the pieces of a revision, in the transaction that stores the revision. */
export async function recordUses(
  queries: Queries,
  { dialect }: Database,
  { filesetId, commit, pieces }: { filesetId: string; commit: string; pieces: readonly TreePiece[] },
): Promise<void> {
  const elements = dialect.jsonElements(JSON.stringify(pieces.map(({ digest }) => [digest])))
  await sql`insert into file_piece_uses (fileset_id, commit_id, digest)
    select ${filesetId}, ${commit}, value->>0 from ${elements} where true
    on conflict (fileset_id, commit_id, digest) do nothing`.execute(queries)
}

async function removeGroup(queries: Queries, filesetId: string, before: number): Promise<number> {
  const { rows } = await sql`delete from file_pieces where fileset_id = ${filesetId} and digest in
    (select digest from file_pieces as piece where fileset_id = ${filesetId} and seen_at < ${before} and not exists
      (select 1 from file_piece_uses as uses where uses.fileset_id = piece.fileset_id and uses.digest = piece.digest)
    limit ${GROUP}) returning digest`.execute(queries)
  return rows.length
}

function removedMeanwhile(filesetId: string): AssayError {
  const message = "The files of this revision were removed while they were read; try again."
  return new AssayError("unavailable", message, { context: { filesetId } })
}
