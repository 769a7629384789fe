import type { HubStorageConfiguration } from "@assay/schemas"
import { type FakeHub, startFakeHub, verifies } from "@assay/testkit"
import { parseFilePath } from "@assay/storage"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { DATABASE_KINDS } from "@assay/database/testing"
import { createTestRegistry, type TestRegistry } from "../testing/test-registry.ts"

const TOKEN = "hf_the-token-of-a-test"

describe.each(DATABASE_KINDS)("filesets on remote storage, on %s", (kind) => {
  let test: TestRegistry
  let hub: FakeHub
  beforeEach(async () => {
    hub = await startFakeHub({
      repositories: [
        { id: "team/open", files: { "a.txt": Buffer.from("first"), "b.txt": Buffer.from("second") } },
        { id: "team/secret", private: true, files: { "a.txt": Buffer.from("hidden") } },
        { id: "team/gated", gated: "manual", files: { "a.txt": Buffer.from("for some") } },
        { id: "team/empty", files: {} },
      ],
      tokens: { [TOKEN]: ["team/secret"] },
    })
    test = await createTestRegistry(kind)
  })
  afterEach(async () => {
    await test.remove()
    await hub.close()
  })

  const storage = (repo_id: string, more: Partial<HubStorageConfiguration> = {}) =>
    ({ type: "hub", repo_id, endpoint: hub.url, ...more }) as const
  const create = (repo_id: string, more?: Partial<HubStorageConfiguration>) =>
    test.registry.filesets.create("default", { name: "remote", storage: storage(repo_id, more) })
  const expectNothingStored = () =>
    expect(test.registry.filesets.get("default", "remote")).rejects.toMatchObject({ code: "not_found" })

  it(
    "stay at the revision that was current when they were made",
    verifies("brief.storage.hub.revision-resolved", "brief.storage.hub.original-revision"),
    async () => {
      const made = await create("team/open", { revision: "main" })
      const sha = hub.repository("team/open").find("main")?.sha
      expect(made.storage).toEqual({
        type: "hub",
        repo_id: "team/open",
        repo_type: "model",
        endpoint: hub.url,
        revision: sha,
        original_revision: "main",
        read_chunk_size: 1_048_576,
      })
      hub.repository("team/open").commit({ "c.txt": Buffer.from("later") })
      const { data } = await test.registry.files.list("default", "remote", {})
      expect(data.map(({ path }) => path)).toEqual(["a.txt", "b.txt"])
      expect(await test.registry.filesets.get("default", "remote")).toEqual(made)
    },
  )

  it("are made after a check that lists them and reads one byte, if there is a file", async () => {
    await create("team/open")
    const resolve = hub.requests.filter(({ operation }) => operation === "resolve")
    expect(resolve.map(({ headers }) => headers["range"])).toEqual(["bytes=0-0"])
    await test.registry.filesets.create("default", { name: "none", storage: storage("team/empty") })
  })

  it.each([
    ["team/gated", "upstream_gated", /gated[^]*ask for access/],
    ["team/secret", "upstream_missing", /private or missing[^]*token_secret/],
    ["team/none", "upstream_missing", /check repo_id/],
  ])(
    "are not made for %s: the remote side answers %s",
    verifies("secret-ref.resolved-late"),
    async (repository, reason, message) => {
      await expect(create(repository)).rejects.toMatchObject({
        code: "storage_not_usable",
        status: 400,
        message: expect.stringMatching(message),
        context: { reason, storage: "hub" },
      })
      await expectNothingStored()
    },
  )

  it("are not made while the remote side is down", async () => {
    await hub.close()
    await expect(create("team/open")).rejects.toMatchObject({ code: "upstream_failed", status: 502 })
    await expectNothingStored()
  })

  it("are not made if the remote side does not respond in time", verifies("storage.external.deadline"), async () => {
    const hasty = await test.openAnother({ checkStorageMs: 100 })
    hub.faults.add({ fault: { kind: "stall" } })
    await expect(
      hasty.filesets.create("default", { name: "remote", storage: storage("team/open") }),
    ).rejects.toMatchObject({
      code: "upstream_timeout",
      status: 504,
      message: expect.stringMatching(/^The hub storage did not respond within 0\.1 s/),
    })
    await expectNothingStored()
  })

  it("fail after a deadline if the remote side is silent", verifies("storage.external.deadline"), async () => {
    await create("team/open")
    const hasty = await test.openAnother({ backendDeadlineMs: 200 })
    hub.faults.add({ fault: { kind: "stall" } })
    const late = expect.objectContaining({ code: "upstream_timeout", status: 504 })
    await expect(hasty.files.list("default", "remote", {})).rejects.toEqual(late)
    await expect(hasty.files.stat("default", "remote", parseFilePath("a.txt"))).rejects.toEqual(late)
    await expect(hasty.files.read("default", "remote", parseFilePath("a.txt"))).rejects.toEqual(late)
  })

  it("stop being made if the caller stops", async () => {
    hub.faults.add({ fault: { kind: "stall" } })
    const leaving = new AbortController()
    const made = test.registry.filesets.create(
      "default",
      { name: "remote", storage: storage("team/open") },
      { signal: leaving.signal },
    )
    await expect.poll(() => hub.countOpenAnswers()).toBe(1)
    leaving.abort(new Error("gone"))
    await expect(made).rejects.toThrow("gone")
    await expect.poll(() => hub.countOpenAnswers()).toBe(0)
  })

  it("cause no request if the name is taken or the workspace is missing", async () => {
    await test.registry.filesets.create("default", { name: "remote" })
    await expect(create("team/open")).rejects.toMatchObject({ code: "already_exists" })
    const body = { name: "remote", storage: storage("team/open") }
    await expect(test.registry.filesets.create("nowhere", body)).rejects.toMatchObject({ code: "invalid_request" })
    expect(hub.requests).toEqual([])
  })

  it("cause no request to an address that users may not name", async () => {
    const guarded = await test.openAnother({
      checkEndpoint: (endpoint) => {
        throw new Error(`Not ${endpoint}`)
      },
    })
    await expect(guarded.filesets.create("default", { name: "remote", storage: storage("team/open") })).rejects.toThrow(
      `Not ${hub.url}`,
    )
    expect(hub.requests).toEqual([])
  })

  it(
    "are made with a secret only if the caller may use it",
    verifies("secret-ref.rights", "auth.cross-workspace-secrets"),
    async () => {
      await test.registry.workspaces.create({ name: "shared" })
      await test.registry.secrets.create("shared", { name: "token", value: TOKEN })
      const body = (token_secret: string) => ({ name: "remote", storage: storage("team/secret", { token_secret }) })
      const withRights = (...workspaces: string[]) =>
        test.registry.as((workspace) => workspaces.includes(workspace)).filesets
      const refusals: string[] = []
      for (const reference of ["shared/token", "shared/none", "nowhere/token"]) {
        const refused = withRights("other").create("default", body(reference))
        await refused.catch((error: Error) => refusals.push(error.message.replace(reference, "…")))
        await expect(refused).rejects.toMatchObject({ code: "secret_not_readable", status: 400 })
      }
      expect(new Set(refusals).size).toBe(1)
      await expect(withRights("shared").create("default", body("shared/none"))).rejects.toThrow(
        refusals[0]?.replace("…", "shared/none"),
      )
      expect(hub.requests).toEqual([])
      expect((await withRights("shared").create("default", body("shared/token"))).storage).toMatchObject({
        token_secret: "shared/token",
      })
    },
  )
})
