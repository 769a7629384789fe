import { type FakeHub, startFakeHub, verifies, bytesOf, textOf } from "@assay/testkit"
import { parseFilePath } from "@assay/storage"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { DATABASE_KINDS } from "@assay/database/testing"
import { createTestRegistry, type TestRegistry, type Registry } from "../testing/test-registry.ts"

const OLD = "hf_the-first-token-of-a-test"
const NEW = "hf_the-other-token-of-a-test"

describe.each(DATABASE_KINDS)("files of filesets on remote storage, on %s", (kind) => {
  let test: TestRegistry
  let registry: Registry
  let hub: FakeHub
  beforeEach(async () => {
    const files = { "a.txt": Buffer.from("hidden"), "large.bin": Buffer.alloc(300_000, 7) }
    hub = await startFakeHub({
      repositories: [{ id: "team/secret", private: true, files }],
      tokens: { [OLD]: ["team/secret"], [NEW]: ["team/secret"] },
    })
    test = await createTestRegistry(kind)
    registry = test.registry
    await registry.workspaces.create({ name: "shared" })
    await registry.secrets.create("shared", { name: "token", value: OLD })
    await registry.secrets.create("default", { name: "token", value: OLD })
    await make("near", "token")
  })
  afterEach(async () => {
    await test.remove()
    await hub.close()
  })

  const make = (name: string, token_secret: string) =>
    registry
      .as(() => true)
      .filesets.create("default", {
        name,
        storage: { type: "hub", repo_id: "team/secret", endpoint: hub.url, token_secret, read_chunk_size: 10_000 },
      })
  const read = async ({ files }: Pick<Registry, "files">, fileset: string, path = "a.txt") =>
    textOf((await files.read("default", fileset, parseFilePath(path))).bytes)
  let seen = 0
  /** Returns the requests since the last call. */
  const newRequests = () => hub.requests.slice(seen, (seen = hub.requests.length))
  const sentTokens = () => new Set(newRequests().map(({ headers }) => headers["authorization"]))

  it(
    "are requested with the present secret, even if another server has set it",
    verifies("secret-ref.resolved-late", "brief.storage.hub.token"),
    async () => {
      const other = await test.openAnother()
      expect(await read(other, "near")).toBe("hidden")
      expect(sentTokens()).toEqual(new Set([`Bearer ${OLD}`]))
      await registry.secrets.update("default", "token", { value: NEW })
      for (const one of [registry, other]) expect(await read(one, "near")).toBe("hidden")
      expect(sentTokens()).toEqual(new Set([`Bearer ${NEW}`]))
    },
  )

  it("are opened once while the secret is unchanged", async () => {
    await read(registry, "near")
    newRequests()
    await Promise.all(Array.from({ length: 3 }, () => read(registry, "near")))
    expect(newRequests().map(({ operation }) => operation)).not.toContain("revision")
  })

  it("are read to the end if the secret changes meanwhile", async () => {
    const { bytes } = await registry.files.read("default", "near", parseFilePath("large.bin"))
    const pieces = bytes[Symbol.asyncIterator]()
    let size = (await pieces.next()).value?.byteLength ?? 0
    await registry.secrets.update("default", "token", { value: "hf_a-token-that-opens-nothing" })
    for (let step = await pieces.next(); step.done !== true; step = await pieces.next()) size += step.value.byteLength
    expect(size).toBe(300_000)
    await expect(read(registry, "near")).rejects.toMatchObject({ code: "upstream_refused", status: 502 })
  })

  it("fail with the name of a removed secret, and work again when it is back", async () => {
    await registry.secrets.remove("default", "token", { force: true })
    await expect(read(registry, "near")).rejects.toMatchObject({
      code: "secret_not_readable",
      status: 400,
      message: expect.stringContaining("'default/token'"),
    })
    await registry.secrets.create("default", { name: "token", value: NEW })
    expect(await read(registry, "near")).toBe("hidden")
  })

  it("are opened again after a failure", async () => {
    const other = await test.openAnother()
    registry.secrets.failOnce()
    await expect(read(other, "near")).rejects.toMatchObject({ code: "secret_not_readable" })
    expect(await read(other, "near")).toBe("hidden")
  })

  it(
    "need a right to secrets of other workspaces, and none for secrets of their own workspace",
    verifies("secret-ref.rights", "auth.cross-workspace-secrets"),
    async () => {
      await make("away", "shared/token")
      newRequests()
      const { files } = registry.as((workspace) => workspace === "elsewhere")
      for (const act of [
        () => files.list("default", "away", {}),
        () => files.stat("default", "away", parseFilePath("a.txt")),
        () => files.read("default", "away", parseFilePath("a.txt")),
        () => files.open("default", "away"),
      ]) {
        await expect(act()).rejects.toMatchObject({ code: "secret_not_readable", status: 400 })
      }
      expect(newRequests()).toEqual([])
      expect(await read({ files }, "near")).toBe("hidden")
      expect(
        await read(
          registry.as((workspace) => workspace === "shared"),
          "away",
        ),
      ).toBe("hidden")
      // An open storage of one caller is not available for another.
      await expect(read({ files }, "away")).rejects.toMatchObject({ code: "secret_not_readable" })
    },
  )

  it("can't be written or removed, and no request is sent for that", verifies("files.upload.read-only"), async () => {
    await registry.secrets.remove("default", "token", { force: true })
    newRequests()
    for (const act of [
      () => registry.files.write("default", "near", parseFilePath("new.txt"), bytesOf("a")),
      () => registry.files.remove("default", "near", parseFilePath("a.txt")),
      () => registry.files.openWritable("default", "near"),
    ]) {
      await expect(act()).rejects.toMatchObject({
        code: "method_not_allowed",
        status: 405,
        message: expect.stringMatching(/^Fileset 'default\/near' can't be written: its hub storage is read-only/),
      })
    }
    expect(newRequests()).toEqual([])
  })

  it.each([
    [401, "upstream_refused", 502],
    [403, "upstream_refused", 502],
    [404, "upstream_missing", 404],
    [500, "upstream_failed", 502],
  ])(
    "fail with the right code if the remote side answers %i with %s",
    verifies("storage.upstream-statuses"),
    async (status, code, answered) => {
      hub.faults.add({ fault: { kind: "refuse", status } })
      await expect(read(registry, "near")).rejects.toMatchObject({ code, status: answered })
      hub.faults.clear()
      expect(await read(registry, "near")).toBe("hidden")
    },
  )

  it("cancel the remote response if the caller stops, before and after the first byte", async () => {
    for (const after of [undefined, 20_000]) {
      const leaving = new AbortController()
      hub.faults.add({
        when: ({ url }) => url.includes("large.bin"),
        fault: { kind: "stall", ...(after === undefined ? {} : { after }) },
      })
      const begun = Promise.withResolvers<void>()
      const reading = registry.files
        .read("default", "near", parseFilePath("large.bin"), { signal: leaving.signal })
        .then(async ({ bytes }) => {
          begun.resolve()
          return textOf(bytes)
        })
      await (after === undefined ? expect.poll(() => hub.countOpenAnswers()).toBe(1) : begun.promise)
      leaving.abort(new Error("gone"))
      await expect(reading).rejects.toThrow("gone")
      await expect.poll(() => hub.countOpenAnswers()).toBe(0)
      hub.faults.clear()
    }
  })
})
