import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { Uploads } from "../uploads/open-uploads.ts"
import { createBucketRegistry } from "./bucket-registry.ts"
import { bytesOf, textOf } from "@assay/testkit"
import { createTestRegistry, type TestRegistry } from "./test-registry.ts"

/** The lifetime of uploads in tests, in milliseconds. */
export const LIFETIME = 3_600_000

/** Uploads on one database and one storage, which two servers open. */
export interface UploadSubject {
  readonly test: TestRegistry
  readonly one: Uploads
  readonly two: Uploads
  /** Returns the names of the stored pieces whose name contains `part`. */
  names(part: string): Promise<readonly string[]>
  /** Writes a file among the pieces. */
  put(name: string, text: string): Promise<void>
  remove(name: string): Promise<void>
}

async function onFolder(test: TestRegistry, folder: string): Promise<UploadSubject> {
  const uploads = join(test.folder, folder)
  return {
    ...(await openTwice(test)),
    names: async (part) => (await readdir(uploads).catch(() => [])).filter((name) => name.includes(part)),
    async put(name, text) {
      await mkdir(dirname(join(uploads, name)), { recursive: true })
      await writeFile(join(uploads, name), text)
    },
    remove: (name) => rm(join(uploads, name)),
  }
}

async function openTwice(test: TestRegistry): Promise<Pick<UploadSubject, "test" | "one" | "two">> {
  const another = await test.openAnother()
  const [one, two] = [test.registry, another].map((registry) => registry.openUploads({ lifetimeMs: LIFETIME }))
  if (one === undefined || two === undefined) throw new Error("There are two servers.")
  return { test, one, two }
}

/** Every kind of database, and every kind of storage of pieces. */
export const UPLOAD_SUBJECTS: readonly (readonly [string, () => Promise<UploadSubject>])[] = [
  ["SQLite and its folder", async () => onFolder(await createTestRegistry("sqlite"), "uploads")],
  [
    "PostgreSQL and an object store",
    async () => {
      const test = await createBucketRegistry("postgres")
      const { store } = test
      const folder = "base/uploads/"
      return {
        ...(await openTwice(test)),
        names: async (part) =>
          [...store.objects()].flatMap((key) =>
            key.startsWith(folder) && key.includes(part) ? [key.slice(folder.length)] : [],
          ),
        put: async (name, text) => store.write(folder + name, text),
        remove: async (name) => store.delete(folder + name),
      }
    },
  ],
]

/** Receives finished files. */
export function createFiles() {
  const texts: string[] = []
  return { texts, finish: async (_: unknown, bytes: AsyncIterable<Uint8Array>) => void texts.push(await textOf(bytes)) }
}

export const piece = (offset: number, text: string) => ({ offset, bytes: bytesOf(text) })

/** Returns a body whose parts are sent one by one. Each call resolves when the part before it was taken. */
export function partedBody() {
  const parts = new TransformStream<Uint8Array, Uint8Array>()
  const writer = parts.writable.getWriter()
  return { bytes: parts.readable, send: (text: string) => writer.write(Buffer.from(text)), end: () => writer.close() }
}

/** Returns a body whose sender waits after the first part. */
export function waitingBody(first: string) {
  const { promise: rest, resolve: send, reject: breakOff } = Promise.withResolvers<string>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  async function* bytes() {
    yield Buffer.from(first)
    begin()
    yield Buffer.from(await rest)
  }
  return { bytes: bytes(), begun, send, breakOff }
}
