import { createHash } from "node:crypto"
import { AssayError } from "@assay/schemas"
import { verifies, waitingBody } from "@assay/testkit"
import { parseFilePath } from "@assay/storage"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { checkPieces, type PieceDamage } from "../pieces/check-pieces.ts"
import { createFiles, LIFETIME, piece, UPLOAD_SUBJECTS, type UploadSubject } from "../testing/upload-subjects.ts"

const TARGET = { workspace: "default", fileset: "a", filesetId: "fileset-a" }

describe.each(UPLOAD_SUBJECTS)("an upload on %s", (_, createSubject) => {
  let subject: UploadSubject
  let one: UploadSubject["one"]["uploads"]
  let two: UploadSubject["one"]["uploads"]
  beforeAll(async () => {
    subject = await createSubject()
    one = subject.one.uploads
    two = subject.two.uploads
  })
  afterAll(() => subject.close())

  const create = (length: number, { finish } = createFiles()) =>
    one.create({ ...TARGET, path: parseFilePath("file"), length, sha256: null }, finish)

  it("continues on any server, and its file is written once", verifies("tus.any-server"), async () => {
    const files = createFiles()
    const { record } = await create(9, files)
    const { offset, record: begun } = await two.append(record.id, piece(0, "abc"), files.finish)
    expect([offset, begun.expiresAt > record.expiresAt]).toEqual([3, true])
    expect(await one.get(record.id, TARGET, files.finish)).toMatchObject({ offset: 3, record: { length: 9 } })
    await expect(one.append(record.id, piece(0, "x"), files.finish)).rejects.toMatchObject({ code: "upload_offset" })
    await one.append(record.id, piece(3, "def"), files.finish)
    const end = await two.append(record.id, piece(6, "ghi"), files.finish)
    expect([end.offset, end.record.completed, files.texts]).toEqual([9, true, ["abcdefghi"]])
    expect((await one.get(record.id, TARGET, files.finish)).record.completed).toBe(true)
    await one.append(record.id, piece(9, "GHI"), files.finish)
    expect([await subject.names(record.id), files.texts.length]).toEqual([[], 1])
  })

  it("is not found for another fileset, whose request does not finish it", verifies("tus.fileset"), async () => {
    const files = createFiles()
    const { record } = await create(3)
    const full = () => Promise.reject(new AssayError("disk_full", "Full."))
    await expect(one.append(record.id, piece(0, "abc"), full)).rejects.toMatchObject({ code: "disk_full" })
    for (const to of [
      { ...TARGET, fileset: "b", filesetId: "fileset-b" },
      { ...TARGET, filesetId: "fileset-b" },
      { ...TARGET, workspace: "other" },
    ])
      await expect(two.get(record.id, to, files.finish)).rejects.toMatchObject({ code: "not_found" })
    expect(files.texts).toEqual([])
    expect((await two.get(record.id, { ...TARGET, fileset: "renamed" }, files.finish)).record.completed).toBe(true)
    expect(files.texts).toEqual(["abc"])
  })

  it("accepts bytes from one connection at a time", verifies("tus.any-server"), async () => {
    const { finish } = createFiles()
    const { record } = await create(9)
    const body = waitingBody("abc")
    const sending = one.append(record.id, { offset: 0, bytes: body.bytes }, finish)
    await body.begun
    await expect(two.append(record.id, piece(0, "xyz"), finish)).rejects.toMatchObject({ code: "upload_locked" })
    await expect(two.remove(record.id)).rejects.toMatchObject({ code: "upload_locked" })
    expect((await two.get(record.id, TARGET, finish)).offset).toBe(0)
    body.breakOff("the client is gone")
    await expect(sending).rejects.toBe("the client is gone")
    expect((await two.get(record.id, TARGET, finish)).offset).toBe(3)
    await two.remove(record.id)
    expect(await subject.names(record.id)).toEqual([])
    await expect(one.get(record.id, TARGET, finish)).rejects.toMatchObject({ code: "not_found" })
    await expect(one.append(record.id, piece(3, "d"), finish)).rejects.toMatchObject({ code: "not_found" })
  })

  it("accepts no further piece while it becomes a file", async () => {
    const { record } = await create(3)
    const files = createFiles()
    const { promise: finishing, resolve: begin } = Promise.withResolvers<void>()
    const { promise: rest, resolve: goOn } = Promise.withResolvers<void>()
    const slowFinish = async (...given: Parameters<typeof files.finish>) => {
      begin()
      await rest
      await files.finish(...given)
    }
    const first = one.append(record.id, piece(0, "abc"), slowFinish)
    await finishing
    expect((await two.get(record.id, TARGET, slowFinish)).offset).toBe(3)
    for (const offset of [0, 3]) {
      const late = two.append(record.id, piece(offset, "ABC"), slowFinish)
      await expect(late).rejects.toMatchObject({ code: "upload_locked" })
    }
    goOn()
    expect([(await first).record.completed, files.texts]).toEqual([true, ["abc"]])
  })

  it("is taken from a server that stalls, which then changes nothing", verifies("tus.lost-server"), async () => {
    const files = createFiles()
    const { record } = await create(6, files)
    const body = waitingBody("abc")
    const sending = one.append(record.id, { offset: 0, bytes: body.bytes }, files.finish)
    sending.catch(() => {})
    await body.begun
    await subject.pass(15_000)
    await two.append(record.id, piece(0, "ABC"), files.finish)
    body.send("d")
    await expect(sending).rejects.toMatchObject({ code: "upload_locked" })
    await two.append(record.id, piece(3, "DEF"), files.finish)
    expect(files.texts).toEqual(["ABCDEF"])
  })

  it("keeps no byte of a piece with another checksum, or that is too long", verifies("tus.checksum"), async () => {
    const { finish, texts } = createFiles()
    const { record } = await create(6)
    await one.append(record.id, piece(0, "abc"), finish)
    const checksum = (expected: string) => ({
      hash: createHash("sha256"),
      expected: createHash("sha256").update(expected).digest(),
    })
    const wrong = two.append(record.id, { ...piece(3, "xyz"), checksum: checksum("def") }, finish)
    await expect(wrong).rejects.toMatchObject({ code: "upload_checksum" })
    await expect(two.append(record.id, piece(3, "defghi"), finish)).rejects.toMatchObject({ code: "too_large" })
    expect((await one.get(record.id, TARGET, finish)).offset).toBe(3)
    expect(await subject.names(record.id)).toHaveLength(1)
    await two.append(record.id, { ...piece(3, "def"), checksum: checksum("def") }, finish)
    expect(texts).toEqual(["abcdef"])
  })

  it("takes the digest of its file until the last byte, and no other digest", verifies("tus.digest"), async () => {
    const digests: (string | null)[] = []
    const finish = async ({ sha256 }: { readonly sha256: string | null }) => void digests.push(sha256)
    const { record } = await create(6)
    await one.append(record.id, piece(0, "abc"), finish)
    for (const _again of [1, 2]) await two.announce(record.id, TARGET, "ab12")
    await expect(one.announce(record.id, TARGET, "cd34")).rejects.toMatchObject({ code: "bad_upload" })
    const elsewhere = { ...TARGET, filesetId: "fileset-b" }
    await expect(one.announce(record.id, elsewhere, "ab12")).rejects.toMatchObject({ code: "not_found" })
    const body = waitingBody("d")
    const sending = one.append(record.id, { offset: 3, bytes: body.bytes }, finish)
    await body.begun
    const { record: other } = await create(3)
    const late = waitingBody("a")
    const alsoSending = one.append(other.id, { offset: 0, bytes: late.bytes }, finish)
    await late.begun
    await two.announce(other.id, TARGET, "ef56")
    body.send("ef")
    late.send("bc")
    await Promise.all([sending, alsoSending])
    expect(new Set(digests)).toEqual(new Set(["ab12", "ef56"]))
    await expect(two.announce(other.id, TARGET, "ef56")).rejects.toMatchObject({ code: "bad_upload" })
  })

  it("says that it is gone if its bytes are, and writes no file", verifies("tus.lost-server"), async () => {
    const { finish, texts } = createFiles()
    const { record } = await create(6)
    await one.append(record.id, piece(0, "abc"), finish)
    for (const name of await subject.names(record.id)) await subject.remove(name)
    await expect(two.append(record.id, piece(3, "def"), finish)).rejects.toMatchObject({ code: "upload_gone" })
    expect(texts).toEqual([])
    await one.remove(record.id)
  })

  it("has pieces that the integrity check compares with their records", verifies("operating.deep-check"), async () => {
    const files = createFiles()
    const { record } = await create(9, files)
    await one.append(record.id, piece(0, "abc"), files.finish)
    await one.append(record.id, piece(3, "def"), files.finish)
    const check = async () => {
      const damage: PieceDamage[] = []
      const signal = new AbortController().signal
      await checkPieces(subject, { onDamage: (found) => damage.push(found), signal })
      return damage.filter(({ place }) => place.includes(record.id)).map(({ kind, detail }) => `${kind}: ${detail}`)
    }
    expect(await check()).toEqual([])
    const [first = "", second = ""] = await subject.names(record.id)
    await subject.put(first, "ab")
    await subject.remove(second)
    expect((await check()).toSorted()).toEqual([
      expect.stringMatching(/^changed: .* has 2 bytes instead of 3\..* begin again/),
      expect.stringMatching(/^missing: .* is not on the storage\..* begin again/),
    ])
    await two.remove(record.id)
    expect(await check()).toEqual([])
  })

  it("is swept after its lifetime, and never while a request holds it", verifies("tus.sweep"), async () => {
    const { finish } = createFiles()
    const [held, old] = [(await create(9)).record.id, (await create(9)).record.id]
    await one.append(old, piece(0, "abc"), finish)
    await subject.pass(LIFETIME - 60_000)
    const { record: young } = await create(9)
    await one.append(young.id, piece(0, "abc"), finish)
    await subject.pass(60_000 - 10_000)
    const body = waitingBody("abc")
    const sending = one.append(held, { offset: 0, bytes: body.bytes }, finish)
    await body.begun
    const left = async () => [(await subject.names(old)).length, (await subject.names(young.id)).length]
    await subject.two.sweep()
    expect(await left()).toEqual([1, 1])
    await subject.pass(14_000)
    await expect(one.get(old, TARGET, finish)).rejects.toMatchObject({ code: "upload_gone" })
    await subject.two.sweep()
    expect(await left()).toEqual([0, 1])
    body.send("defghi")
    expect((await sending).offset).toBe(9)
  })

  it(
    "is swept with what a crash or an older version left, and without other files",
    verifies("tus.sweep"),
    async () => {
      const orphans = [
        "upload-lost.piece-1",
        "upload-lost/piece-1",
        "upload-A.bytes",
        "upload-A.json",
        "upload-A.json.new",
      ]
      const others = ["notes/piece-1", "upload-lost/readme", "upload-lost.txt"]
      for (const name of [...orphans, ...others]) await subject.put(name, "")
      await subject.one.sweep()
      const found = [await subject.names("lost"), await subject.names("upload-A"), await subject.names("notes")].flat()
      expect(new Set(found.map((name) => name.split("/")[0]))).toEqual(
        new Set(["notes", "upload-lost", "upload-lost.txt"]),
      )
    },
  )
})
