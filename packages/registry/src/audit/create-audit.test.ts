import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { DATABASE_KINDS } from "@assay/database/testing"
import { createTestRegistry, type TestRegistry } from "../testing/test-registry.ts"
import type { Audit } from "./create-audit.ts"
import type { AuditedWrite } from "./audited-write.ts"

const DAY_MS = 86_400_000
const WRITE: AuditedWrite = {
  token: "token-1",
  token_name: "ci",
  subject: null,
  address: "203.0.113.7",
  door: "api",
  method: "PUT",
  action: "writeFile",
  kind: "files",
  workspace: "default",
  name: "reviews/a.jsonl",
  status: 200,
  request: "r1",
}

describe.each(DATABASE_KINDS)("the audit of writes on %s", (kind) => {
  let test: TestRegistry
  let audit: Audit
  beforeAll(async () => {
    test = await createTestRegistry(kind)
    audit = test.registry.audit
  })
  afterAll(() => test.remove())

  it("lists records newest first, with what filters and rights leave", verifies("audit.list"), async () => {
    audit.record(WRITE)
    audit.record({ ...WRITE, workspace: "other", name: "odd \0 \uD800 name", status: 403 })
    audit.record({ ...WRITE, action: "createToken", kind: "tokens", workspace: null, name: "x".repeat(5000) })
    const { data } = await audit.list({ limit: 10 }, "all")
    expect(data.map(({ action }) => action)).toEqual(["createToken", "writeFile", "writeFile"])
    expect(data[0]?.name?.length).toBe(1400)
    expect(data[1]).toEqual({
      ...WRITE,
      created_at: expect.stringMatching(/Z$/),
      count: 1,
      last_at: data[1]?.created_at,
      workspace: "other",
      name: "odd \uFFFD \uFFFD name",
      status: 403,
    })
    const names = async (where: { equals?: object; contains?: object }, visible: "all" | string[] = "all") =>
      (await audit.list({ limit: 10, where: { equals: {}, contains: {}, ...where } }, visible)).data.map(
        ({ workspace }) => workspace,
      )
    expect(await names({ equals: { status: "403" } })).toEqual(["other"])
    expect(await names({ contains: { name: "REVIEWS" } })).toEqual(["default"])
    expect(await names({}, ["default"])).toEqual(["default"])
    expect(await names({}, [])).toEqual([])
  })

  it("escapes control characters of names", verifies("audit.list"), async () => {
    audit.record({ ...WRITE, name: "a\u001b[2J\nb\u009b", workspace: "escaped" })
    const { data } = await audit.list({ limit: 1 }, ["escaped"])
    expect(data[0]?.name).toBe("a\\u001b[2J\\u000ab\\u009b")
  })

  it("counts the files that a caller writes to a fileset in one record an hour", verifies("audit.files"), async () => {
    const start = test.clock.time
    const file = { ...WRITE, workspace: "many", fileset: "reviews" }
    const read = async () => (await audit.list({ limit: 1000 }, ["many"])).data
    const shown = async () => (await read()).map(({ name, count, token, door }) => [name, count, token, door].join(" "))
    audit.record(file)
    expect(await shown()).toEqual(["reviews/a.jsonl 1 token-1 api"])
    for (let at = 0; at < 999; at += 1) audit.record({ ...file, name: `reviews/${at}.jsonl`, request: `r${at}` })
    audit.record({ ...file, name: "other/a.jsonl", fileset: "other" })
    audit.record({ ...file, door: "s3" })
    audit.record({ ...file, token: null, subject: "ann" })
    audit.record({ ...file, name: "reviews", action: "deleteFileset", fileset: undefined })
    expect(await shown()).toEqual(
      expect.arrayContaining([
        "reviews 1 token-1 api",
        "reviews/a.jsonl 1  api",
        "reviews/a.jsonl 1 token-1 s3",
        "other/a.jsonl 1 token-1 api",
        "reviews 1000 token-1 api",
      ]),
    )
    const group = (await read()).find(({ count }) => count === 1000)
    expect(Date.parse(group?.created_at ?? "")).toBeGreaterThan(start)
    expect(Date.parse(group?.last_at ?? "")).toBeGreaterThan(Date.parse(group?.created_at ?? ""))
    expect([group?.request, (await read()).length]).toEqual(["r1", 5])
    // A deleted file is rarely one of many: the first ones have records of their own.
    for (let at = 0; at < 150; at += 1) {
      audit.record({ ...file, method: "DELETE", action: "deleteFile", name: `reviews/${at}.jsonl` })
    }
    const deleted = (await read()).filter(({ action }) => action === "deleteFile")
    expect([deleted.length, deleted.find(({ count }) => count > 1)]).toMatchObject([
      101,
      { name: "reviews", count: 50 },
    ])
    test.clock.time += 3_600_000
    audit.record({ ...file, name: "reviews/later.jsonl" })
    expect((await shown())[0]).toBe("reviews/later.jsonl 1 token-1 api")
  })

  it("counts the failures of a caller beyond a hundred an hour in groups", verifies("audit.failures"), async () => {
    const failed = { ...WRITE, token: "noisy", action: "deleteFile", status: 403, workspace: "noise" }
    const start = test.clock.time
    for (let count = 0; count < 600; count += 1) audit.record({ ...failed, name: `long${"x".repeat(1000)}/${count}` })
    for (let count = 0; count < 200; count += 1) audit.record({ ...WRITE, token: "noisy", workspace: "noise" })
    const where = { equals: { token: "noisy" }, contains: {} }
    const read = async () => (await audit.list({ limit: 1000, where }, ["noise"])).data
    const [group, ...others] = (await read()).filter(({ status }) => status === 403)
    expect([group?.count, group?.name, others.length, others[0]?.count]).toEqual([500, null, 100, 1])
    expect((await read()).filter(({ status }) => status === 200)).toHaveLength(200)
    for (let count = 0; count < 7; count += 1) audit.record(failed)
    audit.record({ ...failed, status: 404 })
    audit.record({ ...failed, token: "quiet", name: "of another caller" })
    const [other, ...before] = await read()
    const known = before.find(({ count }) => count > 1)
    expect([other?.status, other?.count, known?.count, known?.request]).toEqual([404, 1, 507, group?.request])
    expect(Date.parse(known?.last_at ?? "")).toBeGreaterThan(Date.parse(group?.last_at ?? ""))
    const names = (await audit.list({ limit: 9 }, ["noise"])).data.map(({ name }) => name)
    expect(names).toContain("of another caller")
    // The group began before, and has counted since.
    const since = { ...where, created_at: { from: Date.parse(known?.last_at ?? "") } }
    expect((await audit.list({ limit: 9, where: since }, ["noise"])).data.map(({ count }) => count)).toEqual([1, 507])
    expect(Date.parse(known?.created_at ?? "")).toBeGreaterThan(start)
    test.clock.time += 3_600_000
    audit.record({ ...failed, name: "an hour later" })
    expect((await read())[0]?.name).toBe("an hour later")
  })

  it("stores a bounded number of records, whatever a caller fails at", verifies("audit.failures"), async () => {
    const statuses = [403, 404, 422]
    for (let count = 0; count < 3000; count += 1) {
      const status = statuses[count % 3] ?? 0
      audit.record({ ...WRITE, token: "wide", workspace: `none-${count}`, action: `a${count % 70}`, status })
      if (count % 500 === 0) await audit.list({ limit: 1 }, "all")
    }
    const where = { equals: { token: "wide" }, contains: {} }
    const { data } = await audit.list({ limit: 1000, where }, "all")
    expect(data.reduce((sum, { count }) => sum + count, 0)).toBe(3000)
    expect(data).toHaveLength(123)
    const rest = data.filter(({ action }) => action === "*")
    expect(rest.map(({ workspace, status }) => [workspace, status])).toEqual(
      expect.arrayContaining(statuses.map((status) => [null, status])),
    )
  })

  it("reads a bounded number of records for a page, whatever the filter", verifies("audit.bounded"), async () => {
    audit.record({ ...WRITE, name: "needle" })
    for (let count = 0; count < 5000; count += 1) audit.record(WRITE)
    const where = { equals: { name: "needle" }, contains: {} }
    const first = await audit.list({ limit: 10, where }, "all")
    expect(first.data).toEqual([])
    const cursor = Number(first.next_cursor)
    const second = await audit.list({ limit: 10, where, cursor }, "all")
    expect([second.data.length, second.next_cursor]).toEqual([1, undefined])
    const pages = await audit.list({ limit: 3000 }, "all")
    const rest = await audit.list({ limit: 3000, cursor: Number(pages.next_cursor) }, "all")
    expect([pages.data.length, rest.next_cursor]).toEqual([3000, undefined])
    expect(rest.data.length).toBeGreaterThanOrEqual(2001)
  })

  it("is there for another server, and loses records after their time", verifies("audit.kept"), async () => {
    const other = await test.openAnother()
    const { audit: before } = other
    expect((await before.list({ limit: 1 }, "all")).data).toHaveLength(1)
    test.clock.time += DAY_MS
    before.record({ ...WRITE, name: "later" })
    await other.close()
    await audit.sweep(DAY_MS / 2)
    const { data } = await audit.list({ limit: 10 }, "all")
    expect(data.map(({ name }) => name)).toEqual(["later"])
  })
})
