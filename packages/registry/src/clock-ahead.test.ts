import { createHash } from "node:crypto"
import { parseFilePath } from "@assay/storage"
import { expect, it, onTestFinished } from "vitest"
import { createTestRegistry } from "./testing/test-registry.ts"

const HOUR = 3_600_000

it("A clock that is ahead for two days ends no upload, no LFS object, no record of the audit and no removed fileset", async () => {
  let now = Date.now()
  let ids = 0
  const newId = (prefix: string) => `${prefix}-${"1".repeat((ids += 1))}`
  const test = await createTestRegistry("sqlite", { now: () => now, elapsed: () => 0, newId, trashMs: HOUR })
  onTestFinished(() => test.remove())
  const { audit } = test.registry
  const { uploads, pendingObjects, sweep } = test.registry.openUploads({ lifetimeMs: HOUR / 2 })
  const object = { fileset: "fileset-a", sha256: createHash("sha256").update("x").digest("hex") }
  const key = await pendingObjects.start(object, 1)
  await pendingObjects.put({ ...object, size: 1, key }, piecesOf("x"))
  const address = { workspace: "default", fileset: "a", filesetId: "fileset-a" }
  const { record } = await uploads.create(
    { ...address, path: parseFilePath("file"), length: 7, sha256: null },
    async () => {},
  )
  audit.record({
    token: null,
    token_name: "local",
    subject: null,
    address: null,
    door: "api",
    method: "PUT",
    action: "writeFile",
    kind: "files",
    workspace: "default",
    name: "a",
    status: 200,
    request: "r",
  })
  await audit.list({ limit: 1 }, "all")
  const filesets = test.registry.as(() => false, "ada").filesets
  await filesets.create("default", { name: "kept", purpose: "dataset" })
  await filesets.remove("default", "kept")
  const { trash } = test.registry
  const query = { page: 1, page_size: 10 }
  now += 48 * HOUR
  await sweep()
  await trash.sweep()
  const [kept] = (await trash.list("default", query, "all")).data
  expect(kept?.removedUntil).toBe(now - 47 * HOUR)
  await audit.sweep(HOUR / 2)
  expect((await uploads.get(record.id, address, async () => {})).offset).toBe(0)
  now -= 48 * HOUR
  expect((await trash.restore("default", kept?.id ?? "")).name).toBe("kept")
  expect(await pendingObjects.size(object)).toBe(1)
  expect((await audit.list({ limit: 1 }, "all")).data).toHaveLength(1)
})

async function* piecesOf(content: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(content)
}
