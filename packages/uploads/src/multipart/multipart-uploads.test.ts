import { AssayError } from "@assay/schemas"
import { verifies, bytesOf, textOf, waitingBody } from "@assay/testkit"
import { parseFilePath } from "@assay/storage"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createFiles, UPLOAD_SUBJECTS, type UploadSubject } from "../testing/upload-subjects.ts"

const TO = { workspace: "default", fileset: "a", filesetId: "fileset-a" }

describe.each(UPLOAD_SUBJECTS)("an upload in parts on %s", (_, createSubject) => {
  let subject: UploadSubject
  beforeAll(async () => {
    subject = await createSubject()
  })
  afterAll(() => subject.close())

  const start = async () => (await subject.one.multipart.start(TO, parseFilePath("file"))).id
  const put = (id: string, number: number, text: string, maxBytes?: number) =>
    subject.two.multipart.putPart(id, TO, { number, bytes: bytesOf(text), maxBytes })
  const notFound = expect.objectContaining({ code: "not_found" })

  it("is continued by any server, and joins the named parts once", verifies("s3.multipart"), async () => {
    const id = await start()
    const two = await put(id, 2, "def")
    await put(id, 1, "old")
    const one = await put(id, 1, "abc")
    await put(id, 3, "unused")
    expect((await subject.names(id)).length).toBe(3)
    const texts: string[] = []
    const finish = async (_upload: unknown, bytes: AsyncIterable<Uint8Array>, size: number) =>
      void texts.push(`${size} ${await textOf(bytes)}`)
    const parts = [one, two]
    const disk = () => Promise.reject(new AssayError("disk_full", "Full."))
    await expect(subject.one.multipart.complete(id, { to: TO, parts, finish: disk })).rejects.toMatchObject({
      code: "disk_full",
    })
    await subject.one.multipart.complete(id, { to: { ...TO, fileset: "renamed" }, parts, finish })
    await subject.two.multipart.complete(id, { to: TO, parts, finish })
    const others = subject.one.multipart.complete(id, { to: TO, parts: [one], finish })
    await expect(others).rejects.toMatchObject({ code: "bad_upload", context: { s3: "InvalidPart" } })
    expect([texts, await subject.names(id)]).toEqual([["6 abcdef"], []])
    await expect(put(id, 1, "late")).rejects.toEqual(notFound)
    await expect(subject.one.multipart.get(id, TO)).rejects.toEqual(notFound)
  })

  it("takes no part while it is completed, and keeps nothing of it", verifies("s3.multipart"), async () => {
    const id = await start()
    const part = await put(id, 1, "abc")
    const body = waitingBody("x")
    const sending = subject.two.multipart.putPart(id, TO, { number: 1, bytes: body.bytes, maxBytes: undefined })
    await body.begun
    const finish = async () => {
      body.send("y")
      await expect(sending).rejects.toEqual(notFound)
    }
    await subject.one.multipart.complete(id, { to: TO, parts: [part], finish })
    expect(await subject.names(id)).toEqual([])
  })

  it(
    "belongs to one fileset, has a limit for all parts together, and is no upload of tus",
    verifies("s3.multipart"),
    async () => {
      const id = await start()
      await put(id, 1, "abc", 5)
      await expect(put(id, 2, "abc", 5)).rejects.toMatchObject({ code: "too_large" })
      await put(id, 1, "abcde", 5)
      const other = { ...TO, filesetId: "fileset-b" }
      const { multipart, uploads } = subject.one
      const { finish } = createFiles()
      for (const refused of [
        () => multipart.get(id, other),
        () => multipart.remove(id, other),
        () => uploads.get(id, TO, finish),
        () => uploads.append(id, { offset: 0, bytes: bytesOf("x") }, finish),
        () => uploads.remove(id),
      ])
        await expect(refused()).rejects.toEqual(notFound)
      expect((await multipart.list(TO)).map((upload) => upload.id)).toEqual([id])
      expect(await multipart.list(other)).toEqual([])
      await multipart.remove(id, TO)
      expect([await multipart.list(TO), await subject.names(id)]).toEqual([[], []])
    },
  )
})
