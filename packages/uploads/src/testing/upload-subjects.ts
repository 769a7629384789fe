import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { type Database, openDatabase } from "@assay/database"
import { addWorkspace, createTestServer, insertFilesets, testFileset, type TestServer } from "@assay/database/testing"
import { createContentChecks, createTransport, openStorage, type Storage } from "@assay/storage"
import { bytesOf, type FakeObjstore, startFakeObjstore, textOf } from "@assay/testkit"
import { openUploads, type Uploads } from "../open-uploads.ts"
import { createPieceStorage, type PieceStorage } from "../pieces/piece-storage.ts"

/** The lifetime of uploads in tests, in milliseconds. */
export const LIFETIME = 3_600_000

/** Uploads on one database and one storage, which two servers open. */
export interface UploadSubject {
  readonly one: Uploads
  readonly two: Uploads
  readonly database: Database
  readonly pieces: PieceStorage
  readonly now: () => number
  /** Advances the clocks of the servers and of the database. */
  readonly pass: (ms: number) => Promise<void>
  /** Adds a fileset that uploads can belong to. Returns its id. */
  addFileset(name: string): Promise<string>
  removeFileset(id: string): Promise<void>
  /** Returns the names of the stored pieces whose name contains `part`. */
  names(part: string): Promise<readonly string[]>
  /** Writes a file among the pieces. */
  put(name: string, text: string): Promise<void>
  remove(name: string): Promise<void>
  /** Ends both servers. */
  close(): Promise<void>
}

interface ServersOptions {
  readonly uploadsFolder: string | undefined
  readonly openDefaultStorage: () => Promise<Storage>
}

type Servers = Omit<UploadSubject, "names" | "put" | "remove">

/** Opens the uploads twice, as two servers do. */
async function openServers(
  { database: databaseOptions, now, newId, pass, remove }: TestServer,
  options: ServersOptions,
): Promise<Servers> {
  const { uploadsFolder } = options
  const contentChecks = createContentChecks({ now, onDamage: () => {} })
  const open = async () => {
    const database = await openDatabase(databaseOptions, () => {})
    const pieces = createPieceStorage({ ...options, newId, contentChecks })
    const context = { database, newId, uploadsFolder, pieces, steadyNow: now }
    return { database, pieces, uploads: openUploads(context, { lifetimeMs: LIFETIME }) }
  }
  const { database, pieces, uploads: one } = await open()
  const { database: other, uploads: two } = await open()
  await addWorkspace(database, "default")
  return {
    one,
    two,
    database,
    pieces,
    now,
    pass,
    async addFileset(name) {
      const fileset = testFileset({ name })
      await database.write((queries) => insertFilesets(queries, [fileset]))
      return fileset.id
    },
    removeFileset: async (id) =>
      void (await database.write((queries) => queries.deleteFrom("filesets").where("id", "=", id).execute())),
    async close() {
      await Promise.all([database.close(), other.close(), contentChecks.close()])
      await remove()
    },
  }
}

async function onFolder(): Promise<UploadSubject> {
  const server = await createTestServer("sqlite")
  const folder = join(server.folder, "uploads")
  const unused = () => Promise.reject(new Error("The pieces are in their own folder."))
  return {
    ...(await openServers(server, { uploadsFolder: folder, openDefaultStorage: unused })),
    names: async (part) => (await readdir(folder).catch(() => [])).filter((name) => name.includes(part)),
    async put(name, text) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), text)
    },
    remove: (name) => rm(join(folder, name)),
  }
}

async function onObjectStore(): Promise<UploadSubject> {
  const server = await createTestServer("postgres")
  const store = await startFakeObjstore({ now: server.now })
  const folder = "base/uploads/"
  const openDefaultStorage = () => openBucket(store, server)
  const servers = await openServers(server, { uploadsFolder: undefined, openDefaultStorage })
  return {
    ...servers,
    names: async (part) =>
      [...store.objects()].flatMap((key) =>
        key.startsWith(folder) && key.includes(part) ? [key.slice(folder.length)] : [],
      ),
    put: async (name, text) => store.write(folder + name, text),
    remove: async (name) => store.delete(folder + name),
    async close() {
      await servers.close()
      await store.close()
    },
  }
}

async function openBucket(store: FakeObjstore, { now, newId }: TestServer): Promise<Storage> {
  const configuration = {
    type: "objstore",
    bucket: store.bucket,
    prefix: "base",
    region: store.region,
    endpoint_url: store.endpoint,
    access_key_id_secret: "id",
    secret_access_key_secret: "key",
  } as const
  const remote = {
    transport: createTransport({ firstByteMs: 5000, idleMs: 5000 }),
    now,
    elapsed: now,
    random: Math.random,
    sleep: (_: number, signal?: AbortSignal) => setTimeout(1, undefined, { signal }),
    resolveSecret: async ({ name }: { readonly name: string }) =>
      name === "id" ? store.accessKeyId : store.secretAccessKey,
    knownConditions: new Map(),
    workspace: "system",
    allowAmbient: false,
  }
  return (await openStorage(configuration, { newId: () => newId("upload"), remote })).storage
}

/** Every kind of database, and every kind of storage of pieces. */
export const UPLOAD_SUBJECTS: readonly (readonly [string, () => Promise<UploadSubject>])[] = [
  ["SQLite and its folder", onFolder],
  ["PostgreSQL and an object store", onObjectStore],
]

/** Receives finished files. */
export function createFiles() {
  const texts: string[] = []
  return { texts, finish: async (_: unknown, bytes: AsyncIterable<Uint8Array>) => void texts.push(await textOf(bytes)) }
}

export const piece = (offset: number, text: string) => ({ offset, bytes: bytesOf(text) })
