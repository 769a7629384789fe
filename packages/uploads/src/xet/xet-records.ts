import { databaseTime, type Queries } from "@assay/database"
import type { UploadsContext } from "../upload-rows.ts"
import type { NewXetFile, XetFile } from "./xet-file.ts"
import { addAsked, addFile, BATCH } from "./add-file.ts"
import { forgetFiles, keepFormer } from "./forget-chunks.ts"
import { digestOfKey, endSecondRecords, pendingKeys } from "./sent-again.ts"

/**
 * Whether a file waits for its commit, or a commit has made a file of it. `readable` is also a file that was replaced or deleted since, as
 * long as the history keeps its bytes.
 */
export type XetFileState = "pending" | "committed" | "readable"

const VALUES: Readonly<Record<XetFileState, readonly number[]>> = { pending: [0], committed: [1], readable: [1, 2] }

/** A xorb of a fileset. */
export interface XetXorb {
  readonly hash: string
  /** The list of its chunks, which the hub packs. */
  readonly chunks: Uint8Array
  /** Those of its chunks that clients ask for. */
  readonly asked: readonly string[]
}

/**
 * The records of filesets about the chunks that clients sent: xorbs by their hashes, and files by their terms. All functions are about one fileset,
 * which its id names: a chunk of another fileset is not known.
 */
export interface XetRecords {
  addXorb(fileset: string, xorb: XetXorb): Promise<void>
  /** Returns the lists of chunks by the hash of their xorb. */
  chunkLists(fileset: string, xorbs: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>
  /** Stores a file that waits for its commit. Replaces its terms if it waits already. A committed or former file stays readable beside it. */
  addFile(fileset: string, file: NewXetFile): Promise<void>
  file(fileset: string, sha256: string, which: XetFileState): Promise<XetFile | undefined>
  /** Returns a readable file by its hash of Xet. */
  fileByHash(fileset: string, hash: string): Promise<XetFile | undefined>
  /** Returns those of the digests whose files wait for their commit. */
  pendingAmong(fileset: string, sha256s: readonly string[]): Promise<readonly string[]>
  /** Returns the digests of committed files whose bytes have chunks of a xorb. */
  filesWith(fileset: string, xorb: string): Promise<readonly string[]>
  /** Notes that files of the fileset have these contents now. */
  markCommitted(fileset: string, sha256s: readonly string[]): Promise<void>
  /** Returns the digests of all files that came as chunks and were committed. */
  committedDigests(fileset: string): Promise<readonly string[]>
  /** Forgets files that wait for their commit. */
  forgetPending(fileset: string, sha256s: readonly string[]): Promise<void>
  /** Notes that no file has these contents any more: uploads can't use their chunks. They are readable while the history keeps their bytes. */
  markFormer(fileset: string, sha256s: readonly string[]): Promise<void>
  /** Returns the xorb of a chunk that clients ask for. */
  findChunk(fileset: string, chunk: string): Promise<string | undefined>
  /** Returns the xorbs of committed files, each once, those of the files that were sent last first. */
  recentXorbs(fileset: string, limit: number): Promise<readonly string[]>
  /** Returns a number that grows each time that chunks were lost. The memory that clients have of the fileset is wrong then. */
  losses(fileset: string): Promise<number>
}

export function openXetRecords(context: UploadsContext): XetRecords {
  return { ...chunkReaders(context), ...fileReaders(context), ...writers(context) }
}

type ChunkReader = "chunkLists" | "findChunk" | "recentXorbs" | "losses"
type FileReader = "file" | "fileByHash" | "pendingAmong" | "filesWith" | "committedDigests"

function chunkReaders({ database }: UploadsContext): Pick<XetRecords, ChunkReader> {
  return {
    async chunkLists(fileset_id, xorbs) {
      const rows = await inBatches(xorbs, (hashes) =>
        database.read((queries) =>
          queries
            .selectFrom("xet_xorbs")
            .select(["hash", "chunks"])
            .where("fileset_id", "=", fileset_id)
            .where("hash", "in", hashes)
            .execute(),
        ),
      )
      return new Map(rows.map(({ hash, chunks }) => [hash, chunks]))
    },
    async findChunk(fileset_id, chunk) {
      const row = await database.read((queries) =>
        queries
          .selectFrom("xet_chunks")
          .select("xorb")
          .where((known) => known.and({ fileset_id, chunk }))
          .executeTakeFirst(),
      )
      return row?.xorb
    },
    async recentXorbs(fileset_id, limit) {
      const rows = await database.read((queries) =>
        queries
          .selectFrom("xet_uses")
          .innerJoin("xet_files", (join) =>
            join
              .onRef("xet_files.fileset_id", "=", "xet_uses.fileset_id")
              .onRef("xet_files.sha256", "=", "xet_uses.sha256"),
          )
          .select("xet_uses.xorb")
          .where("xet_uses.fileset_id", "=", fileset_id)
          .where("xet_files.committed", "=", 1)
          .groupBy("xet_uses.xorb")
          // Each upload has the same lifetime.
          .orderBy((use) => use.fn.max("xet_files.expires_at"), "desc")
          .limit(limit)
          .execute(),
      )
      return rows.map(({ xorb }) => xorb)
    },
    async losses(fileset_id) {
      const row = await database.read((queries) =>
        queries.selectFrom("xet_losses").select("losses").where("fileset_id", "=", fileset_id).executeTakeFirst(),
      )
      return row?.losses ?? 0
    },
  }
}

function selectFile(queries: Queries) {
  return queries.selectFrom("xet_files").select(["sha256", "hash", "size", "terms"])
}

function fileReaders(context: UploadsContext): Pick<XetRecords, FileReader> {
  const { database } = context
  return {
    file: (fileset, sha256, state) => readFile(context, { fileset, sha256, state }),
    fileByHash: (fileset_id, hash) =>
      database.read((queries) =>
        selectFile(queries)
          .where((file) => file.and({ fileset_id, hash }))
          .where("committed", "in", VALUES.readable)
          .executeTakeFirst(),
      ),
    async pendingAmong(fileset_id, sha256s) {
      const rows = await inBatches(sha256s, (digests) =>
        database.read((queries) =>
          queries
            .selectFrom("xet_files")
            .select("sha256")
            .where((file) => file.and({ fileset_id, committed: 0 }))
            .where("sha256", "in", digests.flatMap(pendingKeys))
            .execute(),
        ),
      )
      return [...new Set(rows.map(({ sha256 }) => digestOfKey(sha256)))]
    },
    async filesWith(fileset_id, xorb) {
      const rows = await database.read((queries) =>
        queries
          .selectFrom("xet_uses")
          .innerJoin("xet_files", (join) =>
            join
              .onRef("xet_files.fileset_id", "=", "xet_uses.fileset_id")
              .onRef("xet_files.sha256", "=", "xet_uses.sha256"),
          )
          .select("xet_files.sha256")
          .where("xet_uses.fileset_id", "=", fileset_id)
          .where("xet_uses.xorb", "=", xorb)
          .where("xet_files.committed", "=", 1)
          .execute(),
      )
      return rows.map(({ sha256 }) => sha256)
    },
    async committedDigests(fileset_id) {
      const rows = await database.read((queries) =>
        queries
          .selectFrom("xet_files")
          .select("sha256")
          .where((file) => file.and({ fileset_id, committed: 1 }))
          .execute(),
      )
      return rows.map(({ sha256 }) => sha256)
    },
  }
}

interface AskedFile {
  readonly fileset: string
  readonly sha256: string
  readonly state: XetFileState
}

async function readFile(context: UploadsContext, asked: AskedFile): Promise<XetFile | undefined> {
  const { fileset, sha256, state } = asked
  const isPending = state === "pending"
  const row = await context.database.read((queries) =>
    selectFile(queries)
      .where("fileset_id", "=", fileset)
      .where("sha256", "in", isPending ? pendingKeys(sha256) : [sha256])
      .where("committed", "in", VALUES[state])
      .$if(isPending, (query) => query.where("expires_at", ">", databaseTime(context)))
      .executeTakeFirst(),
  )
  return row && { ...row, sha256 }
}

function writers(context: UploadsContext): Omit<XetRecords, ChunkReader | FileReader> {
  const { database } = context
  return {
    addXorb: (fileset_id, { hash, chunks, asked }) =>
      database.write(
        async (queries) => {
          await queries
            .insertInto("xet_xorbs")
            .values({ fileset_id, hash, chunks })
            .onConflict((conflict) => conflict.columns(["fileset_id", "hash"]).doNothing())
            .execute()
          await addAsked(
            queries,
            fileset_id,
            asked.map((chunk) => ({ chunk, xorb: hash })),
          )
        },
        { small: true },
      ),
    addFile: (fileset, file) => database.write((queries) => addFile(context, queries, fileset, file), { small: true }),
    async markCommitted(fileset_id, sha256s) {
      await inBatches(sha256s, (digests) =>
        database.write(
          async (queries) => {
            await endSecondRecords(queries, fileset_id, digests)
            await queries
              .updateTable("xet_files")
              .set({ committed: 1 })
              .where("fileset_id", "=", fileset_id)
              .where("sha256", "in", digests)
              .execute()
          },
          { small: true },
        ),
      )
    },
    async forgetPending(fileset, sha256s) {
      await inBatches(sha256s, (digests) =>
        database.write((queries) => forgetFiles(queries, fileset, digests.flatMap(pendingKeys), "pending"), {
          small: true,
        }),
      )
    },
    async markFormer(fileset, sha256s) {
      await inBatches(sha256s, (digests) =>
        database.write((queries) => keepFormer(queries, fileset, digests), { small: true }),
      )
    },
  }
}

async function inBatches<T>(
  items: readonly string[],
  run: (batch: readonly string[]) => Promise<readonly T[] | void>,
): Promise<readonly T[]> {
  const found: T[] = []
  for (let first = 0; first < items.length; first += BATCH) {
    for (const row of (await run(items.slice(first, first + BATCH))) ?? []) found.push(row)
  }
  return found
}
