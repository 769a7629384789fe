import { verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Registry } from "../registry.ts"
import { DATABASE_KINDS } from "@assay/database/testing"
import { createTestRegistry, type TestRegistry } from "../testing/test-registry.ts"
import { checkSecretFree } from "./secret-uses.ts"
import { sweepKeySecrets } from "./sweep-key-secrets.ts"

const MADE = "eval-key-3QJmnh8Y1kGqvS4cQKFJ2b"
const HOUR = 3_600_000

const target = (reference: string) => ({
  type: "model" as const,
  model: { api_endpoint: { url: "http://127.0.0.1:1/v1", model_id: "m", api_key_secret: reference } },
})
const harness = (reference: string) => ({
  type: "benchmark" as const,
  harness: { command: ["x"], secrets: { HF_TOKEN: reference } },
})

describe.each(DATABASE_KINDS)("a secret on %s", (kind) => {
  let test: TestRegistry
  let registry: Registry
  beforeEach(async () => {
    test = await createTestRegistry(kind)
    registry = test.registry
    await registry.workspaces.create({ name: "other" })
    await registry.secrets.create("default", { name: "key", value: "v" })
  })
  afterEach(() => test.remove())

  it(
    "can't be removed while something names it, and the error lists the visible uses",
    verifies("secrets.in-use"),
    async () => {
      await registry.guardrailConfigurations.create("default", {
        name: "guard",
        data: { models: [{ type: "main", engine: "m", model: "m", api_key_secret: "key" }] },
      })
      await registry.evaluationTargets.create("default", { name: "t", data: target("key") })
      await registry.evaluationConfigurations.create("other", { name: "c", data: harness("default/key") })
      // The same name in another workspace, and as a part of another name.
      await registry.evaluationConfigurations.create("other", { name: "own", data: harness("key") })
      await registry.evaluationTargets.create("default", { name: "longer", data: target("key-2") })
      const job = await registry.jobs.create({
        namespace: "default",
        target: target("key"),
        config: harness("other/key"),
      })
      await expect(registry.secrets.remove("default", "key")).rejects.toMatchObject({
        code: "in_use",
        message:
          "Secret 'default/key' is used by guardrail configuration 'default/guard', evaluation target 'default/t', " +
          `evaluation configuration 'other/c', evaluation job '${job.id}'; change them first, or delete it with the option 'force'.`,
        context: { uses: 4 },
      })
      await expect(registry.secrets.remove("default", "key", { visible: ["default"] })).rejects.toMatchObject({
        message: expect.stringMatching(/evaluation job '[^']+', 1 you can't see;/),
        context: { used_by: [{ name: "guard" }, { name: "t" }, { name: job.id }] },
      })
      expect((await registry.secrets.get("default", "key")).name).toBe("key")
      await registry.secrets.remove("default", "key", { force: true })
      await expect(registry.secrets.get("default", "key")).rejects.toMatchObject({ code: "not_found" })
      await expect(registry.secrets.remove("default", "key")).rejects.toMatchObject({ code: "not_found" })
    },
  )

  it(
    "can't be removed while a remote fileset or the default storage names it",
    verifies("secrets.in-use"),
    async () => {
      const database = await test.openTables()
      await registry.filesets.create("default", { name: "remote" })
      await registry.filesets.create("other", { name: "remote" })
      const storage = { type: "hub", repo_id: "a/b", token_secret: "key" }
      const change = { storage_type: "hub" as const, storage: JSON.stringify(storage), owns_bytes: 0 }
      await database.write((queries) => queries.updateTable("filesets").set(change).execute())
      await expect(registry.secrets.remove("default", "key")).rejects.toMatchObject({
        message: expect.stringContaining("is used by fileset 'default/remote'; change"),
        context: { uses: 1 },
      })
      const bucket = {
        type: "objstore",
        bucket: "b",
        endpoint_url: "http://127.0.0.1:1",
        access_key_id_secret: "id",
      } as const
      await registry.secrets.create("system", { name: "id", value: "v" })
      const named = { workspace: "system", name: "id" }
      await expect(checkSecretFree({ database, defaultStorage: bucket }, named, [])).rejects.toThrow(
        "is used by the default storage of the server; change",
      )
    },
  )

  it("can be removed after the job that names it has ended", verifies("secrets.in-use"), async () => {
    const job = await registry.jobs.create({ namespace: "default", target: target("key"), config: harness("x") })
    await registry.jobs.cancel(job.id)
    await registry.secrets.remove("default", "key")
  })

  it("can't be removed while one of many configurations names it", verifies("secrets.in-use"), async () => {
    const create = (index: number) => {
      const data = index === 1000 ? target("key") : target("none")
      return registry.evaluationTargets.create("default", { name: `t${String(index).padStart(5, "0")}`, data })
    }
    for (let start = 0; start < 1001; start += 50)
      await Promise.all(Array.from({ length: Math.min(50, 1001 - start) }, (_, index) => create(start + index)))
    await expect(registry.secrets.remove("default", "key")).rejects.toThrow("evaluation target 'default/t01000'")
  })

  it("that was made for a job is removed with it", verifies("eval.inline-keys"), async () => {
    const job = await registry.jobs.create({ namespace: "default", target: target(MADE), config: harness("x") })
    await registry.secrets.create("default", { name: MADE, value: "v" }, { owner: job.id })
    expect(await registry.secrets.ownerOf("default", MADE)).toBe(job.id)
    expect(await registry.secrets.ownerOf("default", "key")).toBeUndefined()
    await registry.jobs.cancel(job.id)
    await registry.jobs.remove(job.id)
    await expect(registry.secrets.get("default", MADE)).rejects.toMatchObject({ code: "not_found" })
  })

  it(
    "that was made for a job is swept if the job is gone, or assigned to the job that names it",
    verifies("eval.inline-keys"),
    async () => {
      const made = ["gone", "lost", "held", "shared", "young"].map(
        (name) => `eval-key-${name.padEnd(20, "x").replaceAll("l", "L").replaceAll("o", "Q")}`,
      )
      const [gone = "", lost = "", held = "", shared = "", young = ""] = made
      await registry.secrets.create("default", { name: gone, value: "v" }, { owner: "eval-that-is-gone" })
      for (const name of [lost, held, shared, "eval-key-of-mine"])
        await registry.secrets.create("default", { name, value: "v" })
      const jobOf = (name: string) =>
        registry.jobs.create({ namespace: "default", target: target(`default/${name}`), config: harness("x") })
      const job = await jobOf(held)
      await registry.jobs.cancel(job.id)
      await jobOf(shared)
      await jobOf(shared)
      const database = await test.openTables()
      const context = {
        database,
        defaultStorage: { type: "local", path: "/nowhere" } as const,
        now: () => test.clock.time,
      }
      await sweepKeySecrets(context, new AbortController().signal)
      expect((await registry.secrets.list("default", { page: 1, page_size: 100 })).data).toHaveLength(6)
      test.clock.time += 2 * HOUR
      await registry.secrets.create("default", { name: young, value: "v" })
      await sweepKeySecrets(context, new AbortController().signal)
      const { data } = await registry.secrets.list("default", { page: 1, page_size: 100 })
      expect(data.map(({ name }) => name).toSorted()).toEqual(
        [held, shared, young, "eval-key-of-mine", "key"].toSorted(),
      )
      expect(await registry.secrets.ownerOf("default", held)).toBe(job.id)
      expect(await registry.secrets.ownerOf("default", shared)).toBeUndefined()
    },
  )
})
