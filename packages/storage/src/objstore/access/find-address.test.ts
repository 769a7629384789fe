import { Readable } from "node:stream"
import { startFakeObjstore, verifies } from "@assay/testkit"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { HttpRequest } from "@assay/http"
import { parseFilePath } from "../../file-path.ts"
import { openStorage } from "../../open-storage.ts"
import { codeOf, writeAll } from "../../testing/ask.ts"
import { openTestObjstore, type TestObjstoreOptions } from "../../testing/open-test-objstore.ts"

const CONFIG = {
  type: "objstore",
  bucket: "data",
  access_key_id_secret: "id",
  secret_access_key_secret: "key",
} as const

/** Returns the request for a file of a storage, without sending it. */
async function askedOf(config: TestObjstoreOptions): Promise<HttpRequest> {
  const asked: HttpRequest[] = []
  const { storage } = await openStorage(
    { ...CONFIG, ...config },
    {
      remote: {
        transport: async (request) => {
          asked.push(request)
          return { status: 404, headers: {}, body: Readable.from([]) }
        },
        now: () => Date.UTC(2026, 10, 20),
        random: () => 0,
        sleep: async () => {},
        workspace: "default",
        resolveSecret: async () => "value",
      },
    },
  )
  await storage.delete(parseFilePath("a/b c+")).catch(() => {})
  const [request] = asked
  if (request === undefined) throw new Error("Nothing was asked.")
  return request
}

describe("the address of a bucket", () => {
  afterEach(() => vi.unstubAllEnvs())

  it.each<[string, TestObjstoreOptions, string, string]>([
    [
      "has the bucket in the cloud's host name",
      { region: "eu-west-1" },
      "https://data.s3.eu-west-1.amazonaws.com",
      "/a/b%20c%2B",
    ],
    [
      "has the bucket in the path if it can't be in a host name",
      { region: "eu-west-1", bucket: "my.data" },
      "https://s3.eu-west-1.amazonaws.com",
      "/my.data/a/b%20c%2B",
    ],
    [
      "has the bucket in the path with signature version 2",
      { region: "eu-west-1", signature_version: "v2" },
      "https://s3.eu-west-1.amazonaws.com",
      "/data/a/b%20c%2B",
    ],
    [
      "has the bucket in the path at a custom endpoint",
      { endpoint_url: "http://store.example:9000/s3/", prefix: "x//y" },
      "http://store.example:9000",
      "/s3/data/x//y/a/b%20c%2B",
    ],
  ])("%s", verifies("brief.storage.objstore.endpoint"), async (_title, config, origin, path) => {
    expect(await askedOf(config)).toMatchObject({ origin, path })
  })

  it(
    "uses the region of the client library's environment if none is named, or else us-east-1",
    verifies("brief.storage.objstore.region"),
    async () => {
      vi.stubEnv("AWS_CONFIG_FILE", "/does/not/exist").stubEnv("AWS_REGION", "")
      expect(await askedOf({})).toMatchObject({ origin: "https://data.s3.us-east-1.amazonaws.com" })
      vi.stubEnv("AWS_REGION", "ap-south-1")
      const { origin, headers } = await askedOf({})
      expect(origin).toBe("https://data.s3.ap-south-1.amazonaws.com")
      expect(headers["authorization"]).toContain("/20261120/ap-south-1/s3/aws4_request")
      const { store, storage } = await openTestObjstore(startFakeObjstore({ region: "ap-south-1" }), { region: "" })
      await writeAll(storage, "file", Buffer.from("x"))
      expect(store.objects()).toEqual(["file"])
    },
  )

  it.each([
    "",
    "store.example",
    "ftp://store.example",
    "https://me:secret@store.example",
    "https://store.example/?x=1",
  ])("is refused without being shown if the endpoint is %j", async (endpoint_url) => {
    const opening = openTestObjstore(startFakeObjstore(), { endpoint_url })
    expect(await codeOf(opening)).toBe("storage_not_allowed")
    await expect(opening).rejects.not.toThrow("secret")
  })

  it("is refused if bucket or region can't be in an address", async () => {
    expect(await codeOf(askedOf({ region: "not a region" }))).toBe("upstream_misconfigured")
    expect(await codeOf(askedOf({ region: "eu-west-1", bucket: "arn:aws:s3" }))).toBe("upstream_misconfigured")
  })
})

describe("opening an object storage", () => {
  it("fills in every default and sends no request", verifies("brief.storage.objstore.prefix"), async () => {
    const { configuration } = await openStorage(CONFIG, {
      remote: {
        transport: () => Promise.reject(new Error("asked")),
        now: () => 0,
        random: () => 0,
        sleep: async () => {},
        workspace: "default",
        resolveSecret: async () => "value",
      },
    })
    expect(configuration).toEqual({
      ...CONFIG,
      prefix: "",
      use_sdk_auth: false,
      signature_version: "v4",
      read_chunk_size: 1_048_576,
    })
  })
})
