import { createHash } from "node:crypto"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { FILES, startTestServer, type TestServer } from "../../testing/start-test-server.ts"
import { HUB_PREFIX } from "../hub-address.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")
const nameOf = (text: string) => ({ oid: sha256(text), size: text.length })

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.call("POST", `${FILES}/default/filesets`, { json: { name: "git" } })
})
afterAll(() => server[Symbol.asyncDispose]())

async function batch(json: object) {
  const { status, text } = await server.call("POST", `${HUB_PREFIX}/default/git.git/info/lfs/objects/batch`, { json })
  return { status, ...JSON.parse(text) }
}
const below = (href: string) => href.slice(server.url.length)
const paths = async (): Promise<string[]> =>
  (await server.call("GET", `${FILES}/default/filesets/git/files`)).json.data.map(({ path }: { path: string }) => path)

describe("the batch API for Git LFS of a repository elsewhere", () => {
  it("refuses an operation that it does not have", verifies("hub.lfs-refused"), async () => {
    for (const operation of ["delete", "Upload", "", undefined]) {
      const { status, code, message } = await batch({ operation, objects: [nameOf("a")] })
      expect([status, code, message]).toEqual([422, "invalid_request", expect.stringContaining("operation")])
    }
  })

  it("keeps an object as soon as it has arrived, and asks for it only once", verifies("hub.lfs-kept"), async () => {
    const ref = { name: "refs/heads/main" }
    const asked = { operation: "upload", transfers: ["basic", "multipart"], ref, objects: [nameOf("kept")] }
    const { transfer, objects } = await batch(asked)
    expect(transfer).toBe("basic")
    const { upload, verify } = objects[0].actions
    expect((await server.call("PUT", below(upload.href), { body: "keqt" })).json.code).toBe("checksum_mismatch")
    expect(await paths()).toEqual([])
    expect((await server.call("PUT", below(upload.href), { body: "kept" })).status).toBe(200)
    expect((await server.call("POST", below(verify.href), { json: nameOf("kept") })).status).toBe(200)
    const { oid } = nameOf("kept")
    expect(await paths()).toEqual([`lfs/objects/${oid.slice(0, 2)}/${oid.slice(2, 4)}/${oid}`])
    expect((await batch(asked)).objects[0].actions).toBeUndefined()
    const found = await batch({ operation: "download", objects: [nameOf("kept")] })
    expect((await server.call("GET", below(found.objects[0].actions.download.href))).text).toBe("kept")
  })

  it("keeps an object apart from a file of the same content, which can change", verifies("hub.lfs-kept"), async () => {
    await server.call("PUT", `${FILES}/default/filesets/git/-/a.txt`, { body: "twice" })
    const { objects } = await batch({ operation: "upload", objects: [nameOf("twice")] })
    expect((await server.call("PUT", below(objects[0].actions.upload.href), { body: "twice" })).status).toBe(200)
    await server.call("DELETE", `${FILES}/default/filesets/git/-/a.txt`)
    const found = await batch({ operation: "download", objects: [nameOf("twice")] })
    expect((await server.call("GET", below(found.objects[0].actions.download.href))).text).toBe("twice")
  })

  it("refuses an object whose size is not that of its content", verifies("hub.lfs-refused"), async () => {
    const lying = { oid: sha256("sized"), size: 6 }
    const { objects } = await batch({ operation: "upload", objects: [lying, nameOf("sized"), lying] })
    expect(objects.map(({ error }: { error?: object }) => error)).toMatchObject([undefined, { code: 422 }, undefined])
    const href = below(objects[0].actions.upload.href)
    const short = await server.call("PUT", href, { body: "sized" })
    expect([short.status, short.json.code]).toEqual([400, "bad_upload"])
    const long = await server.call("PUT", href.replace("size=6", "size=4"), { body: "sized" })
    expect([long.status, long.json.code]).toEqual([400, "bad_upload"])
    expect((await server.call("PUT", href.replace("size=6", "size=5"), { body: "sized" })).status).toBe(200)
    for (const operation of ["upload", "download"]) {
      const { objects: refused } = await batch({ operation, objects: [lying] })
      expect(refused[0]).toEqual({
        ...lying,
        error: { code: 422, message: `Object ${lying.oid} has 5 bytes, not 6.` },
      })
    }
  })
})
