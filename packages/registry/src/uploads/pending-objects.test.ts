import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtemp, readdir, rm, stat, utimes } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { platform } from "node:process"
import { failCalls, verifies, watchSyncs } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { sweepCalls } from "../testing/sweep-calls.ts"
import { openPendingObjects, type FolderPendingObjects } from "./pending-objects.ts"

const HOUR = 3_600_000
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text)
}

describe("pending objects", () => {
  let folder: string
  let now: number
  let objects: FolderPendingObjects
  let count = 0
  const open = () =>
    openPendingObjects({
      folder,
      lifetimeMs: HOUR,
      now: () => now,
      newId: (prefix) => `${prefix}-${"1".repeat(++count)}`,
    })
  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), "objects-")), "made when needed")
    now = Date.now()
    objects = open()
  })
  afterEach(() => rm(dirname(folder), { recursive: true, force: true }))

  const object = { fileset: "fileset-1", sha256: sha256("content") }
  const put = async (text = "content") => {
    const key = await objects.start(object, 7)
    await objects.put({ ...object, size: 7, key }, bytesOf(text))
  }
  const read = async (part = { start: 0, end: 6 }) =>
    Buffer.concat((await Array.fromAsync(objects.read(object, part))) as Buffer[]).toString()

  it("exist once they are complete, also after a restart, and only for their own fileset", async () => {
    expect(await objects.size(object)).toBeUndefined()
    await put()
    objects = open()
    expect([await objects.size(object), await read(), await read({ start: 2, end: 4 })]).toEqual([7, "content", "nte"])
    expect(await objects.size({ ...object, fileset: "fileset-2" })).toBeUndefined()
    await objects.remove(object)
    expect([await objects.size(object), await readdir(folder)]).toEqual([undefined, []])
  })

  const inParts = async (upload: Parameters<FolderPendingObjects["complete"]>[0]) => {
    await objects.putPart(upload, { start: 0, end: 6 }, bytesOf("content"))
    await objects.complete(upload)
  }
  const WAYS = [
    ["as a whole", (upload: Parameters<typeof inParts>[0]) => objects.put(upload, bytesOf("content"))],
    ["in parts", inParts],
  ] as const

  it.runIf(platform === "linux").each(WAYS)(
    "are on the disk, with their names, when they were sent %s",
    async (_, send) => {
      const syncs = await watchSyncs()
      const key = await objects.start(object, 7)
      const begun = syncs.paths().length
      await send({ ...object, size: 7, key })
      const upload = expect.stringContaining(`fileset-1.${object.sha256}.7.${key}`)
      expect(syncs.paths().slice(begun)).toEqual([upload, folder])
      expect(syncs.paths().slice(0, begun)).toEqual([dirname(folder)])
    },
  )

  it.each(WAYS)("are not there after an error, and can be sent again %s", async (_, send) => {
    const sendNew = async () => {
      await objects.remove(object)
      const key = await objects.start(object, 7)
      return { run: () => send({ ...object, size: 7, key }), read: () => objects.size(object) }
    }
    const check = (error: unknown, before: unknown, after: unknown) => {
      expect(error).toMatchObject({ name: "AssayError", code: "upstream_failed" })
      expect([before, after]).toEqual([undefined, undefined])
    }
    const errors = [
      await sweepCalls({ call: "open", code: "EIO", prepare: sendNew, check }),
      await sweepCalls({ call: "rename", code: "EIO", prepare: sendNew, check }),
    ]
    expect(errors).toEqual([3, 1])

    const upload = { ...object, size: 7, key: await objects.start(object, 7) }
    await objects.remove(object)
    const renames = failCalls("rename", "EIO")
    renames.fail(1)
    await expect(send(upload)).rejects.toMatchObject({ code: "upstream_failed" })
    await send(upload)
    expect(await read()).toBe("content")
  })

  it("can be empty", async () => {
    const empty = { ...object, sha256: sha256("") }
    const key = await objects.start(empty, 0)
    await objects.put({ ...empty, size: 0, key }, bytesOf(""))
    expect(await objects.size(empty)).toBe(0)
    expect(await Array.fromAsync(objects.read(empty, { start: 0, end: -1 }))).toEqual([])
  })

  it("keep no bytes with a wrong digest, and accept the right ones later", async () => {
    const key = await objects.start(object, 7)
    const upload = { ...object, size: 7, key }
    await expect(objects.put(upload, bytesOf("contend"))).rejects.toMatchObject({ code: "checksum_mismatch" })
    const [name = ""] = await readdir(folder)
    expect((await stat(join(folder, name))).size).toBe(0)
    await expect(objects.put(upload, bytesOf("contents"))).rejects.toMatchObject({ code: "too_large" })
    await objects.put(upload, bytesOf("content"))
    expect(await read()).toBe("content")
  })

  it("keep exactly the verified bytes, even if a part still arrives", verifies("hub.lfs-sealed"), async () => {
    const key = await objects.start(object, 7)
    const upload = { ...object, size: 7, key }
    const { promise: rest, resolve: goOn } = Promise.withResolvers<void>()
    async function* late() {
      yield Buffer.from("con")
      await rest
      yield Buffer.from("TEN")
    }
    const sending = objects.putPart(upload, { start: 0, end: 5 }, late())
    await objects.putPart(upload, { start: 3, end: 6 }, bytesOf("tent"))
    await objects.complete(upload)
    goOn()
    await expect(sending).rejects.toMatchObject({ code: "upload_gone" })
    // A client that got no response repeats the request, which succeeds.
    await objects.putPart(upload, { start: 0, end: 6 }, bytesOf("CONTENT"))
    await objects.complete(upload)
    await objects.put(upload, bytesOf("CONTENT"))
    expect([await read(), await readdir(folder)]).toEqual(["content", [`fileset-1.${object.sha256}`]])
  })

  it("accept parts again after a completion found a wrong digest", async () => {
    const key = await objects.start(object, 7)
    const upload = { ...object, size: 7, key }
    await objects.putPart(upload, { start: 0, end: 6 }, bytesOf("CONTENT"))
    await expect(objects.complete(upload)).rejects.toMatchObject({ code: "checksum_mismatch" })
    await objects.putPart(upload, { start: 0, end: 6 }, bytesOf("content"))
    await Promise.all([objects.complete(upload), objects.complete(upload)])
    expect(await read()).toBe("content")
  })

  it(
    "are not changed by a second whole upload of the same key that ends later",
    verifies("hub.lfs-sealed"),
    async () => {
      const key = await objects.start(object, 7)
      const upload = { ...object, size: 7, key }
      const { promise: rest, resolve: goOn } = Promise.withResolvers<void>()
      async function* late() {
        await rest
        yield Buffer.from("CONTENT")
      }
      const sending = objects.put(upload, late())
      await objects.put(upload, bytesOf("content"))
      goOn()
      await expect(sending).rejects.toMatchObject({ code: "checksum_mismatch" })
      expect([await read(), await readdir(folder)]).toEqual(["content", [`fileset-1.${object.sha256}`]])
    },
  )

  it.each([
    ["other bytes", "TENT", { code: "checksum_mismatch" }],
    ["more bytes than announced", "tents", { code: "too_large" }],
    ["the same bytes", "tent", undefined],
  ] as const)(
    "are not changed by a whole upload of %s that ends after their parts were completed",
    verifies("hub.lfs-sealed"),
    async (_, end, refusal) => {
      const key = await objects.start(object, 7)
      const upload = { ...object, size: 7, key }
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
      const { promise: rest, resolve: goOn } = Promise.withResolvers<void>()
      async function* late() {
        yield Buffer.from("con")
        // The second piece is requested after the first one is in the file.
        begin()
        await rest
        yield Buffer.from(end)
      }
      const sending = objects.put(upload, late())
      await begun
      await objects.putPart(upload, { start: 0, end: 6 }, bytesOf("content"))
      await objects.complete(upload)
      const whole = await stat(join(folder, `fileset-1.${object.sha256}`))
      expect([whole.size, await read()]).toEqual([7, "content"])
      goOn()
      if (refusal === undefined) await sending
      else await expect(sending).rejects.toMatchObject(refusal)
      expect([await read(), await readdir(folder)]).toEqual(["content", [`fileset-1.${object.sha256}`]])
    },
  )

  it("are refused if the file is a pipe", verifies("files.open.regular-only"), async () => {
    await put()
    await rm(join(folder, `fileset-1.${object.sha256}`))
    expect(spawnSync("mkfifo", [join(folder, `fileset-1.${object.sha256}`)]).status).toBe(0)
    await expect(read()).rejects.toMatchObject({ code: "local_file_failed" })
    const another = { ...object, sha256: sha256("another") }
    const upload = { ...another, size: 7, key: await objects.start(another, 7) }
    const file = join(folder, `fileset-1.${another.sha256}.7.${upload.key}`)
    await rm(file)
    expect(spawnSync("mkfifo", [file]).status).toBe(0)
    for (const sending of [
      () => objects.put(upload, bytesOf("another")),
      () => objects.putPart(upload, { start: 0, end: 6 }, bytesOf("another")),
      () => objects.complete(upload),
    ]) {
      await expect(sending()).rejects.toMatchObject({ code: "not_found" })
    }
  })

  it("expire after their lifetime without use, and not before", async () => {
    await put()
    await objects.start(object, 7)
    await objects.sweep()
    expect(await readdir(folder)).toHaveLength(2)
    now += HOUR - 60_000
    expect(await objects.size(object)).toBe(7)
    now += 120_000
    await objects.sweep()
    expect(await readdir(folder)).toEqual([`fileset-1.${object.sha256}`])
    await utimes(join(folder, `fileset-1.${object.sha256}`), 0, 0)
    await objects.sweep()
    expect(await readdir(folder)).toEqual([])
    await rm(folder, { recursive: true })
    await objects.sweep()
  })
})
