// Declares the types of values that `inject` returns.
/// <reference types="@assay/testkit/postgres-setup" />
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readEvents, type ServerEvent } from "@assay/http"
import { createDatabase, verifies } from "@assay/testkit"
import { expect, inject, it } from "vitest"
import { createTestToken } from "../testing/create-tokens.ts"
import { FILES, SECRETS, startTestServer, type TestServer } from "../testing/start-test-server.ts"

type Changed = readonly { readonly kind: string; readonly workspace: string | null; readonly name: string | null }[]

/** Follows the changes of a server. */
async function follow({ url }: TestServer, { token, after }: { token?: string; after?: string } = {}) {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  if (after !== undefined) headers["last-event-id"] = after
  const ending = new AbortController()
  const { status, body } = await fetch(`${url}/v1/changes`, { headers, signal: ending.signal })
  const events = readEvents(body ?? [], { tooLong: () => new Error("too long") })
  const next = async (): Promise<ServerEvent> => (await events.next()).value as ServerEvent
  return {
    status,
    next,
    /** Returns the changes up to the one of a name. */
    async until(name: string): Promise<{ readonly id: string; readonly changes: Changed }> {
      const changes: Changed[number][] = []
      for (;;) {
        const { id, data } = await next()
        changes.push(...(JSON.parse(data) as { changes: Changed }).changes)
        if (changes.some((one) => one.name === name)) return { id: String(id), changes }
      }
    },
    [Symbol.dispose]: () => ending.abort(),
  }
}

it(
  "a caller follows the changes of its workspaces, names of filesets and jobs only, and goes on after an event",
  verifies("changes.followed", "changes.rights"),
  async () => {
    await using server = await startTestServer({ ASSAY_AUTH: "tokens" })
    const all = (await createTestToken(server, "root", { workspace: "*", role: "admin" })).token
    const viewer = (await createTestToken(server, "viewer", { workspace: "default", role: "viewer" })).token
    const write = (path: string, json: unknown, method = "POST") =>
      server.call(method, path, { json, headers: { authorization: `Bearer ${all}` } })
    await write("/apis/entities/v2/workspaces", { name: "hidden" })
    using seen = await follow(server, { token: viewer })
    expect([seen.status, (await seen.next()).event]).toEqual([200, "beat"])
    await write(`${FILES}/hidden/filesets`, { name: "secret-rows" })
    await write(`${SECRETS}/default/secrets`, { name: "key-name", value: "x" })
    await write(`${FILES}/default/filesets`, { name: "rows" })
    await write(`${FILES}/default/filesets`, { name: "no good name" })
    const { id, changes } = await seen.until("rows")
    expect(changes).toEqual([
      { kind: "secrets", workspace: "default", name: null },
      { kind: "filesets", workspace: "default", name: "rows" },
    ])

    await server.call("PUT", `${FILES}/default/filesets/rows/-/deep/a.txt`, {
      body: "a",
      headers: { authorization: `Bearer ${all}` },
    })
    using later = await follow(server, { token: viewer, after: id })
    expect((await later.until("rows")).changes).toEqual([{ kind: "filesets", workspace: "default", name: "rows" }])
    using other = await follow(server, { token: viewer, after: "changes-other.3" })
    expect((await other.next()).event).toBe("refresh")
    expect((await fetch(`${server.url}/v1/changes`)).status).toBe(401)
  },
)

it("the changes of all servers of a database are followed at each of them", verifies("changes.shared"), async () => {
  const storage = await mkdtemp(join(tmpdir(), "assay-changes-"))
  const shared = {
    DATABASE_URL: await createDatabase(inject("postgresUrl")),
    ASSAY_SHARED_LOCAL: "1",
    ASSAY_DEFAULT_STORAGE: JSON.stringify({ type: "local", path: storage }),
    ASSAY_ENCRYPTION_KEYS: `shared:${Buffer.alloc(32, 3).toString("base64")}`,
  }
  try {
    await using one = await startTestServer(shared)
    await using two = await startTestServer(shared)
    using seen = await follow(one)
    // Changes that are announced before the first server listens may be missing.
    let heard = 0
    for (let count = 0; heard === 0; count++) {
      await two.call("POST", `${FILES}/default/filesets`, { json: { name: `early-${count}` } })
      heard = (JSON.parse((await seen.next()).data) as { changes: Changed }).changes.length
    }
    await two.call("POST", `${FILES}/default/filesets`, { json: { name: "common" } })
    expect((await seen.until("common")).changes).toContainEqual({
      kind: "filesets",
      workspace: "default",
      name: "common",
    })
    const body = {
      namespace: "default",
      target: { type: "rows", rows: [{ output: "a" }] },
      config: {
        type: "custom",
        tasks: {
          t: {
            type: "data",
            metrics: { m: { type: "string-check", params: { check: ["{{output}}", "equals", "a"] } } },
          },
        },
      },
    }
    const { json: job } = await two.call("POST", "/v1/evaluation/jobs", { json: body })
    expect((await seen.until(job.id)).changes).toContainEqual({ kind: "jobs", workspace: "default", name: job.id })
  } finally {
    await rm(storage, { recursive: true })
  }
})

it("one caller can't take the streams of all others", verifies("changes.bounded"), async () => {
  await using server = await startTestServer({ ASSAY_AUTH: "tokens" })
  const create = async (name: string) =>
    (await createTestToken(server, name, { workspace: "default", role: "viewer" })).token
  const [greedy, other] = [await create("greedy"), await create("other")]
  const opened = await Promise.all(Array.from({ length: 110 }, async () => follow(server, { token: greedy })))
  using closing = new DisposableStack()
  for (const one of opened) closing.use(one)
  const statuses = opened.map(({ status }) => status)
  expect([statuses.filter((one) => one === 200).length, statuses.filter((one) => one === 429).length]).toEqual([
    100, 10,
  ])
  using seen = await follow(server, { token: other })
  expect(seen.status).toBe(200)
  closing.dispose()
  await expect
    .poll(async () => {
      using again = await follow(server, { token: greedy })
      return again.status
    })
    .toBe(200)
})
