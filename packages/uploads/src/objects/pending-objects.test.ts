import { createHash } from "node:crypto"
import { verifies, bytesOf, textOf, waitingBody } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { LIFETIME, UPLOAD_SUBJECTS, type UploadSubject } from "../testing/upload-subjects.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")
const TEXT = "content"
const END = { start: 4, end: 6 }
const BEGIN = { start: 0, end: 3 }
const WHOLE = { start: 0, end: 6 }

describe.each(UPLOAD_SUBJECTS)("pending LFS objects on %s", (_, createSubject) => {
  let subject: UploadSubject
  let one: UploadSubject["one"]["pendingObjects"]
  let two: UploadSubject["one"]["pendingObjects"]
  let made = 0
  beforeAll(async () => {
    subject = await createSubject()
    one = subject.one.pendingObjects
    two = subject.two.pendingObjects
  })
  afterAll(() => subject.close())

  /** Starts the upload of an object of its own fileset. */
  async function start(text = TEXT) {
    const object = { fileset: `fileset-${(made += 1)}`, sha256: sha256(text) }
    const upload = { ...object, size: text.length, key: await two.start(object, text.length) }
    return { object, upload, read: (part = WHOLE) => textOf(one.read(object, part)) }
  }

  it("arrive in parts on any server, and are whole on all", verifies("hub.lfs-any-server"), async () => {
    const { object, upload, read } = await start()
    await two.putPart(upload, END, bytesOf("ent"))
    await one.putPart(upload, BEGIN, bytesOf("CONT"))
    await expect(one.complete(upload)).rejects.toMatchObject({ code: "checksum_mismatch" })
    await one.putPart(upload, BEGIN, bytesOf("CONT"))
    await two.putPart(upload, BEGIN, bytesOf("cont"))
    await expect(two.putPart(upload, END, bytesOf("en"))).rejects.toMatchObject({ code: "bad_upload" })
    await expect(two.putPart(upload, END, bytesOf("ents"))).rejects.toMatchObject({ code: "too_large" })
    await one.putPart(upload, END, bytesOf("ent"))
    expect(await two.size(object)).toBeUndefined()
    await Promise.all([one.complete(upload), two.complete(upload)])
    expect([await one.size(object), await read(), await read({ start: 3, end: 5 })]).toEqual([7, "content", "ten"])
    expect(await one.size({ ...object, fileset: "fileset-other" })).toBeUndefined()
    // A client that got no response repeats the request, which succeeds and changes nothing.
    await two.putPart(upload, BEGIN, bytesOf("XXXX"))
    await two.put(upload, bytesOf("XXXXXXX"))
    expect([await read(), (await subject.names(upload.key)).length]).toEqual(["content", 2])
    await two.remove(object)
    expect([await one.size(object), await subject.names(upload.key)]).toEqual([undefined, []])
    await expect(one.putPart(upload, BEGIN, bytesOf("cont"))).rejects.toMatchObject({ code: "not_found" })
  })

  it("arrive whole, and keep no bytes with another digest", verifies("hub.lfs-any-server"), async () => {
    const { object, upload, read } = await start()
    await expect(one.put(upload, bytesOf("contend"))).rejects.toMatchObject({ code: "checksum_mismatch" })
    await expect(one.put(upload, bytesOf("contents"))).rejects.toMatchObject({ code: "too_large" })
    expect([await subject.names(upload.key), await one.size(object)]).toEqual([[], undefined])
    await one.put(upload, bytesOf(TEXT))
    expect(await read()).toBe(TEXT)
    for (const unknown of [
      { ...upload, fileset: "fileset-other" },
      { ...upload, size: 8, sha256: sha256("contents") },
    ])
      await expect(one.put(unknown, bytesOf(TEXT))).rejects.toMatchObject({ code: "not_found" })
  })

  it("can be empty", async () => {
    const { object, upload } = await start("")
    await one.put(upload, bytesOf(""))
    expect([await two.size(object), await textOf(two.read(object, { start: 0, end: -1 }))]).toEqual([0, ""])
  })

  it("keep exactly the verified bytes, even if a part still arrives", verifies("hub.lfs-sealed"), async () => {
    const { upload, read } = await start()
    const late = waitingBody("con")
    const sending = one.putPart(upload, { start: 0, end: 5 }, late.bytes)
    await late.begun
    await two.putPart(upload, { start: 0, end: 2 }, bytesOf("con"))
    await two.putPart(upload, { start: 3, end: 6 }, bytesOf("tent"))
    await two.complete(upload)
    late.send("TEN")
    await expect(sending).rejects.toMatchObject({ code: "upload_gone" })
    expect([await read(), (await subject.names(upload.key)).length]).toEqual([TEXT, 2])
  })

  it.each([
    ["other bytes", "TENT", { code: "checksum_mismatch" }],
    ["more bytes than announced", "tents", { code: "too_large" }],
    ["the same bytes", "tent", undefined],
  ] as const)(
    "are not changed by a whole upload of %s that ends after their parts were completed",
    verifies("hub.lfs-sealed"),
    async (_case, end, refusal) => {
      const { upload, read } = await start()
      const late = waitingBody("con")
      const sending = one.put(upload, late.bytes)
      await late.begun
      await two.putPart(upload, WHOLE, bytesOf(TEXT))
      await two.complete(upload)
      const pieces = await subject.names(upload.key)
      late.send(end)
      if (refusal === undefined) await sending
      else await expect(sending).rejects.toMatchObject(refusal)
      expect([await read(), await subject.names(upload.key)]).toEqual([TEXT, pieces])
    },
  )

  it("expire a lifetime after a client last asked for them", verifies("hub.lfs-any-server"), async () => {
    const { object, upload, read } = await start()
    await one.put(upload, bytesOf(TEXT))
    for (const pass of [LIFETIME - 60_000, LIFETIME - 60_000]) {
      await subject.pass(pass)
      expect(await two.size(object)).toBe(7)
      await subject.two.sweep()
    }
    expect(await read()).toBe(TEXT)
    await subject.pass(LIFETIME)
    await subject.two.sweep()
    expect([await one.size(object), await subject.names(upload.key)]).toEqual([undefined, []])
  })
})
