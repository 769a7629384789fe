import { startFakeObjstore, verifies } from "@assay/testkit"
import { afterEach, describe, expect, it, vi } from "vitest"
import { codeOf, listPaths, readAll, writeAll } from "../../testing/ask.ts"
import { openTestObjstore } from "../../testing/open-test-objstore.ts"

describe("the credentials of an object storage", () => {
  afterEach(() => vi.unstubAllEnvs())

  it(
    "are the values of both secrets, from the workspace that each names",
    verifies("brief.storage.objstore.explicit"),
    async () => {
      const asked: unknown[] = []
      const { storage } = await openTestObjstore(startFakeObjstore(), {
        access_key_id_secret: "id",
        secret_access_key_secret: "shared/key",
        remote: {
          workspace: "mine",
          async resolveSecret(secret) {
            asked.push(secret)
            return secret.name === "id" ? "fake-access-key" : "fake-secret-key"
          },
        },
      })
      await writeAll(storage, "file", Buffer.from("x"))
      expect(await listPaths(storage)).toEqual(["file"])
      expect(asked).toEqual([
        { workspace: "mine", name: "id" },
        { workspace: "shared", name: "key" },
      ])
    },
  )

  it(
    "are none if no secret is named, and then requests are not signed",
    verifies("storage.objstore.anonymous"),
    async () => {
      const fake = startFakeObjstore({ buckets: { files: { publicRead: true } } })
      const { store, storage } = await openTestObjstore(fake, { isWithoutSecrets: true })
      store.write("file", "hello")
      expect(await listPaths(storage)).toEqual(["file"])
      expect((await readAll(storage, "file")).toString()).toBe("hello")
      expect(store.requests.filter(({ headers }) => headers["authorization"] !== undefined)).toEqual([])
      await expect(writeAll(storage, "file", Buffer.from("x"))).rejects.toThrow(
        "it refuses access without a secret (status 403); name `access_key_id_secret` and `secret_access_key_secret`",
      )
    },
  )

  it.each([400, 403] as const)(
    "are requested in the error if a store answers %i without them",
    async (anonymousStatus) => {
      const { storage } = await openTestObjstore(startFakeObjstore({ anonymousStatus }), { isWithoutSecrets: true })
      expect(await codeOf(listPaths(storage))).toBe("upstream_refused")
    },
  )

  it.each([{ access_key_id_secret: "id" }, { secret_access_key_secret: "key" }])(
    "are refused if they are incomplete: %j",
    verifies("brief.storage.objstore.explicit"),
    async (config) => {
      const opening = openTestObjstore(startFakeObjstore(), { isWithoutSecrets: true, ...config })
      expect(await codeOf(opening)).toBe("storage_not_allowed")
    },
  )

  it.each(["", "key\n", "two words", "schlüssel"])(
    "are refused without being shown if they are not a key: %j",
    async (value) => {
      const opening = openTestObjstore(startFakeObjstore(), { remote: { resolveSecret: async () => value } })
      const error = await opening.catch((caught: unknown) => caught)
      expect(error).toMatchObject({
        code: "upstream_refused",
        message: expect.stringContaining("Secret 'id' is not a key"),
      })
      if (value !== "") expect(String(error)).not.toContain(value)
    },
  )

  it(
    "can be those of the machine only if the server allows it",
    verifies("brief.storage.objstore.ambient", "storage.objstore.sdk-auth"),
    async () => {
      const refused = openTestObjstore(startFakeObjstore(), { isWithoutSecrets: true, use_sdk_auth: true })
      expect(await codeOf(refused)).toBe("storage_not_allowed")
      const both = openTestObjstore(startFakeObjstore(), { use_sdk_auth: true, remote: { allowAmbient: true } })
      expect(await codeOf(both)).toBe("storage_not_allowed")
    },
  )

  it.each(["v4", "v2"] as const)(
    "of the machine sign with version %s",
    verifies("brief.storage.objstore.ambient"),
    async (version) => {
      vi.stubEnv("AWS_ACCESS_KEY_ID", "fake-access-key").stubEnv("AWS_SECRET_ACCESS_KEY", "fake-secret-key")
      vi.stubEnv("AWS_SESSION_TOKEN", "a-session")
      const { store, storage } = await openTestObjstore(startFakeObjstore(), {
        isWithoutSecrets: true,
        use_sdk_auth: true,
        signature_version: version,
        remote: { allowAmbient: true },
      })
      await writeAll(storage, "file", Buffer.from("x"))
      expect(store.requests.map(({ headers }) => headers["x-amz-security-token"])).toEqual(["a-session"])
    },
  )

  it("of the machine may be missing", async () => {
    for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"]) vi.stubEnv(name, "")
    vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true").stubEnv("AWS_SHARED_CREDENTIALS_FILE", "/does/not/exist")
    const { storage } = await openTestObjstore(startFakeObjstore(), {
      isWithoutSecrets: true,
      use_sdk_auth: true,
      remote: { allowAmbient: true },
    })
    await expect(listPaths(storage)).rejects.toMatchObject({
      code: "upstream_refused",
      message: expect.stringContaining("there are no credentials to sign requests with"),
    })
  })
})
