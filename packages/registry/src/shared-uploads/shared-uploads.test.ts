import { createHash } from "node:crypto"
import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { AssayError } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { parseFilePath } from "@assay/storage"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Damage } from "../integrity/integrity.ts"
import { createBucketRegistry } from "../testing/bucket-registry.ts"
import { createTestRegistry, type TestRegistry } from "../testing/test-registry.ts"
import { bytesOf, textOf } from "../testing/bytes.ts"
import type { Uploads } from "./open-uploads.ts"

const HOUR = 3_600_000
const TARGET = { workspace: "default", fileset: "a", filesetId: "fileset-a" }
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")
const piece = (offset: number, text: string) => ({ offset, bytes: bytesOf(text) })

let test: TestRegistry
let one: Uploads
let two: Uploads
beforeAll(async () => {
  test = await createTestRegistry("postgres")
  const another = await test.openAnother()
  one = test.registry.openUploads({ dataFolder: join(test.folder, "one"), lifetimeMs: HOUR })
  two = another.openUploads({ dataFolder: join(test.folder, "two"), lifetimeMs: HOUR })
})
afterAll(() => test.remove())

/** Receives finished files. */
function createFiles() {
  const texts: string[] = []
  return { texts, finish: async (_: unknown, bytes: AsyncIterable<Uint8Array>) => void texts.push(await textOf(bytes)) }
}

const create = (length: number, { finish } = createFiles(), digest: string | null = null) =>
  one.uploads.create({ ...TARGET, path: parseFilePath("file"), length, sha256: digest }, finish)

/** Returns the names of the pieces of an upload on the default storage. */
const filesOf = (id: string) => readdir(join(test.folder, "storage", "uploads", id)).catch(() => [])

/** Returns a body whose sender waits after the first part. */
function waitingBody(first: string) {
  const { promise: rest, resolve: send, reject: breakOff } = Promise.withResolvers<string>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  async function* bytes() {
    yield Buffer.from(first)
    begin()
    yield Buffer.from(await rest)
  }
  return { bytes: bytes(), begun, send, breakOff }
}

describe("an upload to servers that share a database", () => {
  it("continues on any server, and its file is written once", verifies("tus.any-server"), async () => {
    const files = createFiles()
    const { record } = await create(9, files)
    expect((await two.uploads.append(record.id, piece(0, "abc"), files.finish)).offset).toBe(3)
    expect(await one.uploads.get(record.id, TARGET, files.finish)).toMatchObject({ offset: 3, record: { length: 9 } })
    await expect(one.uploads.append(record.id, piece(0, "x"), files.finish)).rejects.toMatchObject({
      code: "upload_offset",
    })
    await one.uploads.append(record.id, piece(3, "def"), files.finish)
    const end = await two.uploads.append(record.id, piece(6, "ghi"), files.finish)
    expect([end.offset, end.record.completed, files.texts]).toEqual([9, true, ["abcdefghi"]])
    expect((await one.uploads.get(record.id, TARGET, files.finish)).record.completed).toBe(true)
    expect([await filesOf(record.id), files.texts.length]).toEqual([[], 1])
    for (const to of [
      { ...TARGET, filesetId: "fileset-b" },
      { ...TARGET, workspace: "other" },
    ])
      await expect(two.uploads.get(record.id, to, files.finish)).rejects.toMatchObject({ code: "not_found" })
  })

  it("accepts bytes from one connection at a time", verifies("tus.any-server"), async () => {
    const { finish } = createFiles()
    const { record } = await create(9)
    const body = waitingBody("abc")
    const sending = one.uploads.append(record.id, { offset: 0, bytes: body.bytes }, finish)
    await body.begun
    await expect(two.uploads.append(record.id, piece(0, "xyz"), finish)).rejects.toMatchObject({
      code: "upload_locked",
    })
    await expect(two.uploads.remove(record.id)).rejects.toMatchObject({ code: "upload_locked" })
    expect((await two.uploads.get(record.id, TARGET, finish)).offset).toBe(0)
    body.breakOff("the client is gone")
    await expect(sending).rejects.toBe("the client is gone")
    expect((await two.uploads.get(record.id, TARGET, finish)).offset).toBe(3)
    await two.uploads.remove(record.id)
    expect(await filesOf(record.id)).toEqual([])
    await expect(one.uploads.get(record.id, TARGET, finish)).rejects.toMatchObject({ code: "not_found" })
  })

  it("is taken from a server that stalls, which then changes nothing", verifies("tus.lost-server"), async () => {
    const files = createFiles()
    const { record } = await create(6, files)
    const body = waitingBody("abc")
    const sending = one.uploads.append(record.id, { offset: 0, bytes: body.bytes }, files.finish)
    sending.catch(() => {})
    await body.begun
    await test.pass(15_000)
    await two.uploads.append(record.id, piece(0, "ABC"), files.finish)
    body.send("d")
    await expect(sending).rejects.toMatchObject({ code: "upload_locked" })
    await two.uploads.append(record.id, piece(3, "DEF"), files.finish)
    expect(files.texts).toEqual(["ABCDEF"])
  })

  it(
    "is finished by another server if the first one was lost after the last byte",
    verifies("tus.lost-server"),
    async () => {
      const files = createFiles()
      const { record } = await create(3)
      const lost = () => Promise.reject(new AssayError("disk_full", "Full."))
      await expect(one.uploads.append(record.id, piece(0, "abc"), lost)).rejects.toMatchObject({ code: "disk_full" })
      expect((await two.uploads.get(record.id, TARGET, files.finish)).record.completed).toBe(true)
      expect(files.texts).toEqual(["abc"])
    },
  )

  it("keeps no byte of a piece with another checksum, or that is too long", verifies("tus.checksum"), async () => {
    const { finish, texts } = createFiles()
    const { record } = await create(6)
    await one.uploads.append(record.id, piece(0, "abc"), finish)
    const checksum = (expected: string) => ({
      hash: createHash("sha256"),
      expected: createHash("sha256").update(expected).digest(),
    })
    const wrong = two.uploads.append(record.id, { ...piece(3, "xyz"), checksum: checksum("def") }, finish)
    await expect(wrong).rejects.toMatchObject({ code: "upload_checksum" })
    await expect(two.uploads.append(record.id, piece(3, "defghi"), finish)).rejects.toMatchObject({ code: "too_large" })
    expect([(await one.uploads.get(record.id, TARGET, finish)).offset, (await filesOf(record.id)).length]).toEqual([
      3, 1,
    ])
    await two.uploads.append(record.id, { ...piece(3, "def"), checksum: checksum("def") }, finish)
    expect(texts).toEqual(["abcdef"])
  })

  it("says that it is gone if its bytes are, and writes no file", verifies("tus.lost-server"), async () => {
    const { finish, texts } = createFiles()
    const { record } = await create(6)
    await one.uploads.append(record.id, piece(0, "abc"), finish)
    await rm(join(test.folder, "storage", "uploads", record.id), { recursive: true })
    await expect(two.uploads.append(record.id, piece(3, "def"), finish)).rejects.toMatchObject({ code: "upload_gone" })
    expect(texts).toEqual([])
  })

  it("has pieces that the integrity check compares with their records", verifies("operating.deep-check"), async () => {
    const files = createFiles()
    const { record } = await create(9, files)
    await one.uploads.append(record.id, piece(0, "abc"), files.finish)
    await one.uploads.append(record.id, piece(3, "def"), files.finish)
    const check = async () => {
      const damage: Damage[] = []
      const signal = new AbortController().signal
      await test.registry.integrity.checkFiles({ onDamage: (found) => damage.push(found), signal })
      return damage.filter(({ place }) => place.includes(record.id)).map(({ kind, detail }) => `${kind}: ${detail}`)
    }
    expect(await check()).toEqual([])
    const folder = join(test.folder, "storage", "uploads", record.id)
    const [first = "", second = ""] = await filesOf(record.id)
    await writeFile(join(folder, first), "ab")
    await rm(join(folder, second))
    expect((await check()).toSorted()).toEqual([
      expect.stringMatching(/^changed: .* has 2 bytes instead of 3\..* begin again/),
      expect.stringMatching(/^missing: .* is not on the storage\..* begin again/),
    ])
    await two.uploads.remove(record.id)
    expect(await check()).toEqual([])
  })

  it("is swept after its lifetime, and never while a request holds it", verifies("tus.sweep"), async () => {
    const { finish } = createFiles()
    const [held, old] = [(await create(9)).record.id, (await create(9)).record.id]
    await one.uploads.append(old, piece(0, "abc"), finish)
    await test.pass(HOUR - 60_000)
    const { record: young } = await create(9)
    await one.uploads.append(young.id, piece(0, "abc"), finish)
    await test.pass(60_000 - 10_000)
    const body = waitingBody("abc")
    const sending = one.uploads.append(held, { offset: 0, bytes: body.bytes }, finish)
    await body.begun
    await two.sweep()
    expect([(await filesOf(old)).length, (await filesOf(young.id)).length]).toEqual([1, 1])
    await test.pass(14_000)
    await two.sweep()
    expect([(await filesOf(old)).length, (await filesOf(young.id)).length]).toEqual([0, 1])
    // The piece of a request that lost its upload, and a file of somebody else.
    const folder = join(test.folder, "storage", "uploads")
    for (const name of ["upload-lost", "notes"]) await mkdir(join(folder, name))
    for (const path of ["upload-lost/piece-1", "notes/piece-1", "upload-lost/readme"])
      await writeFile(join(folder, path), "")
    await two.sweep()
    expect([await filesOf("upload-lost"), await filesOf("notes")]).toEqual([["readme"], ["piece-1"]])
    body.send("defghi")
    await sending
  })
})

it("An upload to an object store continues on any server", verifies("tus.any-server"), async () => {
  const bucket = await createBucketRegistry("postgres")
  try {
    const files = createFiles()
    const another = await bucket.openAnother()
    const [first, second] = [bucket.registry, another].map((registry, index) =>
      registry.openUploads({ dataFolder: join(bucket.folder, String(index)), lifetimeMs: HOUR }),
    )
    if (first === undefined || second === undefined) throw new Error("There are two servers.")
    const { record } = await first.uploads.create(
      { ...TARGET, path: parseFilePath("file"), length: 6, sha256: null },
      files.finish,
    )
    await first.uploads.append(record.id, piece(0, "abc"), files.finish)
    const keys = () => [...bucket.store.objects()].filter((key) => key.includes("/uploads/"))
    expect(keys()).toHaveLength(1)
    await second.uploads.append(record.id, piece(3, "def"), files.finish)
    expect([files.texts, keys()]).toEqual([["abcdef"], []])
  } finally {
    await bucket.remove()
  }
})

describe("LFS objects on servers that share a database", () => {
  const text = "content"
  const object = { fileset: "fileset-a", sha256: sha256(text) }
  const start = async (from = one) => ({ ...object, size: 7, key: await from.pendingObjects.start(object, 7) })
  const read = async (from: Uploads, part = { start: 0, end: 6 }) => textOf(from.pendingObjects.read(object, part))

  it("arrive in parts on any server, and are whole on all", verifies("hub.lfs-any-server"), async () => {
    const upload = await start()
    await two.pendingObjects.putPart(upload, { start: 4, end: 6 }, bytesOf("ent"))
    await one.pendingObjects.putPart(upload, { start: 0, end: 3 }, bytesOf("CONT"))
    await expect(one.pendingObjects.complete(upload)).rejects.toMatchObject({ code: "checksum_mismatch" })
    await one.pendingObjects.putPart(upload, { start: 0, end: 3 }, bytesOf("CONT"))
    await two.pendingObjects.putPart(upload, { start: 0, end: 3 }, bytesOf("cont"))
    await expect(two.pendingObjects.putPart(upload, { start: 4, end: 6 }, bytesOf("en"))).rejects.toMatchObject({
      code: "bad_upload",
    })
    await one.pendingObjects.putPart(upload, { start: 4, end: 6 }, bytesOf("ent"))
    expect(await two.pendingObjects.size(object)).toBeUndefined()
    await Promise.all([one.pendingObjects.complete(upload), two.pendingObjects.complete(upload)])
    expect([await one.pendingObjects.size(object), await read(two), await read(one, { start: 3, end: 5 })]).toEqual([
      7,
      "content",
      "ten",
    ])
    // A client that got no response repeats the request, which succeeds and changes nothing.
    await two.pendingObjects.putPart(upload, { start: 0, end: 3 }, bytesOf("XXXX"))
    await two.pendingObjects.put(upload, bytesOf("XXXXXXX"))
    expect([await read(one), (await filesOf(upload.key)).length]).toEqual(["content", 2])
    await two.pendingObjects.remove(object)
    expect([await one.pendingObjects.size(object), await filesOf(upload.key)]).toEqual([undefined, []])
    await expect(one.pendingObjects.putPart(upload, { start: 0, end: 3 }, bytesOf("cont"))).rejects.toMatchObject({
      code: "not_found",
    })
  })

  it("arrive whole, and keep no bytes with another digest", verifies("hub.lfs-any-server"), async () => {
    const upload = await start(two)
    await expect(one.pendingObjects.put(upload, bytesOf("contend"))).rejects.toMatchObject({
      code: "checksum_mismatch",
    })
    await expect(one.pendingObjects.put(upload, bytesOf("contents"))).rejects.toMatchObject({ code: "too_large" })
    expect(await filesOf(upload.key)).toEqual([])
    await one.pendingObjects.put(upload, bytesOf(text))
    expect(await read(two)).toBe(text)
    await expect(one.pendingObjects.put({ ...upload, fileset: "fileset-b" }, bytesOf(text))).rejects.toMatchObject({
      code: "not_found",
    })
    await one.pendingObjects.remove(object)
  })

  it("expire a lifetime after a client last asked for them", verifies("hub.lfs-any-server"), async () => {
    await one.pendingObjects.put(await start(), bytesOf(text))
    for (const pass of [HOUR - 60_000, HOUR - 60_000]) {
      await test.pass(pass)
      expect(await two.pendingObjects.size(object)).toBe(7)
      await two.sweep()
    }
    expect(await read(one)).toBe(text)
    await test.pass(HOUR)
    await two.sweep()
    expect(await one.pendingObjects.size(object)).toBeUndefined()
  })

  it("keep a piece of an unknown upload out", verifies("hub.lfs-any-server"), async () => {
    const unknown = { ...object, size: 7, key: "object-none" }
    await expect(one.pendingObjects.put(unknown, bytesOf(text))).rejects.toMatchObject({ code: "not_found" })
    await expect(one.pendingObjects.complete(unknown)).rejects.toMatchObject({ code: "not_found" })
  })
})
