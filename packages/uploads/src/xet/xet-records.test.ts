import { verifies, bytesOf } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { LIFETIME, UPLOAD_SUBJECTS, type UploadSubject } from "../testing/upload-subjects.ts"

describe.each(UPLOAD_SUBJECTS)("files that came as chunks on %s", (_, createSubject) => {
  let subject: UploadSubject
  let fileset: string
  beforeAll(async () => {
    subject = await createSubject()
    fileset = await subject.addFileset("weights")
  })
  afterAll(() => subject.close())

  const file = (sha256: string, xorbs: readonly string[]) => ({
    sha256,
    hash: `hash of ${sha256}`,
    size: 3,
    terms: Buffer.from(xorbs.join()),
    xorbs,
    asked: xorbs[0] === undefined ? undefined : { chunk: `first of ${sha256}`, xorb: xorbs[0] },
  })
  /** Sends a xorb, whose bytes wait among the pending objects. */
  async function sendXorb(hash: string): Promise<void> {
    const object = { fileset, sha256: `xorb-${hash}` }
    const upload = { ...object, size: 3, key: await subject.one.pendingObjects.start(object, 3) }
    await subject.one.pendingObjects.put(upload, bytesOf("abc"), { isVerified: true })
    await subject.one.xet.addXorb(fileset, {
      hash,
      chunks: Buffer.from(`chunks of ${hash}`),
      asked: [`asked of ${hash}`],
    })
  }

  it("are known on every server, within their fileset", verifies("hub.xet-apart"), async () => {
    const { one, two } = subject
    await sendXorb("a")
    await one.xet.addFile(fileset, file("one", ["a", "b"]))
    expect(Buffer.from((await two.xet.chunkLists(fileset, ["a", "b"])).get("a") ?? "").toString()).toBe("chunks of a")
    expect(await two.xet.file(fileset, "one", "pending")).toMatchObject({ hash: "hash of one", size: 3 })
    expect(await two.xet.file(fileset, "one", "committed")).toBeUndefined()
    expect(await two.xet.fileByHash(fileset, "hash of one")).toBeUndefined()
    expect(await two.xet.filesWith(fileset, "a")).toEqual([])
    await one.xet.markCommitted(fileset, ["one"])
    expect(await two.xet.filesWith(fileset, "a")).toEqual(["one"])
    expect(await two.xet.committedDigests(fileset)).toEqual(["one"])
    expect(await two.xet.fileByHash(fileset, "hash of one")).toMatchObject({ sha256: "one" })
    expect(await two.xet.fileByHash("other", "hash of one")).toBeUndefined()
    expect([await two.xet.findChunk(fileset, "first of one"), await two.xet.findChunk(fileset, "asked of a")]).toEqual([
      "a",
      "a",
    ])
    expect([await two.xet.findChunk("other", "asked of a"), await two.xet.filesWith("other", "a")]).toEqual([
      undefined,
      [],
    ])
    expect((await two.xet.chunkLists("other", ["a"])).size).toBe(0)
    expect(await two.xet.losses(fileset)).toBe(0)
  })

  it(
    "keep their xorbs as long as a file has them, and count what was lost",
    verifies("hub.xet-collected"),
    async () => {
      const { one, two, pass } = subject
      await sendXorb("used")
      await sendXorb("unused")
      await one.xet.addFile(fileset, file("kept", ["used"]))
      await one.xet.markCommitted(fileset, ["kept"])
      await one.xet.addFile(fileset, file("forgotten", ["unused"]))
      await one.sweep()
      expect((await two.xet.chunkLists(fileset, ["used", "unused"])).size).toBe(2)
      await pass(LIFETIME + 1)
      expect(await two.xet.file(fileset, "forgotten", "pending")).toBeUndefined()
      const before = await one.xet.losses(fileset)
      await one.sweep()
      expect([...(await two.xet.chunkLists(fileset, ["used", "unused"])).keys()]).toEqual(["used"])
      expect(await two.xet.findChunk(fileset, "asked of unused")).toBeUndefined()
      expect(await subject.names("object-")).toEqual([])
      expect(await one.xet.losses(fileset)).toBeGreaterThan(before)
      expect(await two.xet.filesWith(fileset, "used")).toEqual(["kept"])
      await one.xet.forgetPending(fileset, ["kept"])
      expect(await two.xet.filesWith(fileset, "used")).toEqual(["kept"])
      const lost = await one.xet.losses(fileset)
      await one.xet.markFormer(fileset, ["kept"])
      expect(await two.xet.filesWith(fileset, "used")).toEqual([])
      expect(await one.xet.losses(fileset)).toBe(lost + 1)
      expect(await two.xet.file(fileset, "kept", "committed")).toBeUndefined()
      expect(await two.xet.fileByHash(fileset, "hash of kept")).toMatchObject({ sha256: "kept" })
      // The history keeps no bytes of it.
      await one.sweep()
      expect(await two.xet.fileByHash(fileset, "hash of kept")).toBeUndefined()
      expect((await two.xet.chunkLists(fileset, ["used"])).size).toBe(0)
    },
  )

  it(
    "stay readable while the same content is sent again, and after it expired or was committed",
    verifies("hub.xet-read-on"),
    async () => {
      const { one, two, pass } = subject
      const id = await subject.addFileset("again")
      const terms = async (state: "pending" | "committed" | "readable") => {
        const found = await two.xet.file(id, "same", state)
        return found && [found.sha256, Buffer.from(found.terms).toString()]
      }
      const send = (xorb: string) => one.xet.addFile(id, file("same", [xorb]))
      await send("first")
      await one.xet.markCommitted(id, ["same"])
      for (const isFormer of [false, true]) {
        if (isFormer) await one.xet.markFormer(id, ["same"])
        await send("second")
        expect(await terms("pending")).toEqual(["same", "second"])
        expect(await terms("readable")).toEqual(["same", "first"])
        expect(await terms("committed")).toEqual(isFormer ? undefined : ["same", "first"])
        expect(await two.xet.fileByHash(id, "hash of same")).toMatchObject({ sha256: "same" })
        expect(await two.xet.pendingAmong(id, ["same", "other"])).toEqual(["same"])
        await one.xet.forgetPending(id, ["same"])
        expect([await terms("pending"), await terms("readable")]).toEqual([undefined, ["same", "first"]])
      }
      await send("third")
      await one.xet.markCommitted(id, ["same"])
      expect([await terms("pending"), await terms("committed")]).toEqual([undefined, ["same", "first"]])
      expect([await two.xet.filesWith(id, "first"), await two.xet.filesWith(id, "third")]).toEqual([["same"], []])
      // The bytes of the former content go while it is sent again.
      await one.xet.markFormer(id, ["same"])
      await send("fourth")
      await one.sweep()
      expect([await terms("readable"), await terms("pending")]).toEqual([undefined, ["same", "fourth"]])
      await one.xet.markCommitted(id, ["same"])
      expect([await terms("committed"), await two.xet.filesWith(id, "fourth")]).toEqual([["same", "fourth"], ["same"]])
      await send("fifth")
      await pass(LIFETIME + 1)
      await one.sweep()
      expect([await terms("pending"), await terms("readable")]).toEqual([undefined, ["same", "fourth"]])
    },
  )

  it("have the xorbs of the latest files first, each once", verifies("hub.xet-recent"), async () => {
    const { one, two, pass } = subject
    const id = await subject.addFileset("recent")
    for (const [sha256, xorbs] of [
      ["older", ["x", "y"]],
      ["newer", ["y", "z"]],
    ] as const) {
      await one.xet.addFile(id, file(sha256, xorbs))
      await pass(1000)
    }
    expect(await two.xet.recentXorbs(id, 10)).toEqual([])
    await one.xet.markCommitted(id, ["older", "newer"])
    const recent = await two.xet.recentXorbs(id, 10)
    expect([recent.slice(0, 2).toSorted(), recent.slice(2)]).toEqual([["y", "z"], ["x"]])
    expect(await two.xet.recentXorbs(id, 2)).toHaveLength(2)
    expect(await two.xet.recentXorbs(fileset, 10)).not.toContain("x")
  })

  it("are forgotten with their fileset", verifies("hub.xet-collected"), async () => {
    await sendXorb("last")
    await subject.removeFileset(fileset)
    await subject.one.sweep()
    expect((await subject.one.xet.chunkLists(fileset, ["last"])).size).toBe(0)
    expect(await subject.one.xet.losses(fileset)).toBe(0)
  })
})
