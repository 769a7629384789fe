import { createHmac } from "node:crypto"
import { startFakeObjstore, verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { listPaths, readAll, writeAll } from "../../testing/ask.ts"
import { sampleBytes } from "../../testing/sample-bytes.ts"
import { openTestObjstore } from "../../testing/open-test-objstore.ts"
import { createSignerV2 } from "./sign-request.ts"

const KEY = { accessKeyId: "id", secretAccessKey: "key" }
const NOON = "Fri, 20 Nov 2026 12:00:00 GMT"

describe("a signature of version 2", () => {
  it("signs method, digest, type, date, sorted Amazon headers, path and resource parameters", async () => {
    const sign = createSignerV2(
      async () => ({ ...KEY, sessionToken: "session" }),
      () => Date.parse(NOON),
    )
    const { authorization } = await sign({
      method: "PUT",
      host: "store.example",
      path: "/data/a%20b//c",
      query: { uploadId: "x+/=", partNumber: "2", prefix: "not signed", "list-type": "2" },
      headers: { "x-amz-meta-b": " two ", "content-md5": "bWQ1", "content-type": "text/plain", "x-amz-meta-a": "one" },
    })
    const text = [
      "PUT",
      "bWQ1",
      "text/plain",
      NOON,
      "x-amz-meta-a:one",
      "x-amz-meta-b:two",
      "x-amz-security-token:session",
      "/data/a%20b//c?partNumber=2&uploadId=x+/=",
    ].join("\n")
    expect(authorization).toBe(`AWS id:${createHmac("sha1", "key").update(text).digest("base64")}`)
  })

  it("contains only the name of a resource parameter without a value", async () => {
    const sign = createSignerV2(
      async () => KEY,
      () => Date.parse(NOON),
    )
    const request = { method: "POST", host: "store.example", path: "/data/key", query: { uploads: "" } } as const
    const { authorization } = await sign({ ...request, headers: {} })
    const text = `POST\n\n\n${NOON}\n/data/key?uploads`
    expect(authorization).toBe(`AWS id:${createHmac("sha1", "key").update(text).digest("base64")}`)
  })

  it("is accepted by a store that supports no other", verifies("brief.storage.objstore.legacy-signature"), async () => {
    const { store, storage } = await openTestObjstore(startFakeObjstore({ signatures: ["v2"] }), {
      signature_version: "v2",
    })
    const large = sampleBytes(9 * 1024 * 1024)
    await writeAll(storage, "a+b/c d", large)
    expect(store.requests.map(({ operation }) => operation)).toContain("CompleteMultipartUpload")
    expect(Buffer.compare(await readAll(storage, "a+b/c d"), large)).toBe(0)
    expect(await listPaths(storage, { prefix: "a+b" })).toEqual(["a+b/c d"])
  })
})
