// Declares the types of values that `inject` returns.
/// <reference types="@assay/testkit/postgres-setup" />
import { once } from "node:events"
import { createServer, type AddressInfo, type Socket } from "node:net"
import { createDatabase, queryDatabase } from "@assay/testkit"
import type { PoolClient } from "pg"
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest"
import { openConnections, type Connections } from "./open-connections.ts"

const MAX = 3

function open(url: string, patienceMs = 5000): Connections {
  return openConnections({ url, application: "test", max: MAX, patienceMs, onBroken: () => {} })
}

const LATE = { message: "timeout exceeded when trying to connect" }

describe("connections to a database", () => {
  let url: string
  let connections: Connections
  const held: PoolClient[] = []
  beforeEach(async () => {
    url = await createDatabase(inject("postgresUrl"))
    connections = open(url)
  })
  afterEach(async () => {
    for (const client of held.splice(0)) client.release()
    await connections.end()
  })

  async function hold(count: number): Promise<void> {
    held.push(...(await Promise.all(Array.from({ length: count }, () => connections.connect()))))
  }
  const ask = async (count: number) => {
    const all = Array.from({ length: count }, () =>
      connections.query<{ pid: number }>("select pg_backend_pid() as pid"),
    )
    return (await Promise.all(all)).map(({ rows }) => rows[0]?.pid)
  }

  it("are used again", async () => {
    const [first] = await ask(1)
    expect(await ask(1)).toEqual([first])
    expect(await ask(1)).toEqual([first])
  })

  it("are as many as are held at the same time, up to the maximum", async () => {
    await hold(MAX)
    expect(await queryDatabase(url, "select 1 from pg_stat_activity where application_name = 'test'")).toHaveLength(MAX)
    const waiting = ask(2)
    held.pop()?.release()
    const [one, other] = await waiting
    expect(one).toBe(other)
  })

  it("are given in the order in which they were asked for", async () => {
    await hold(MAX)
    const order: number[] = []
    const waiting = [0, 1, 2, 3].map(async (index) => {
      const client = await connections.connect()
      order.push(index)
      client.release()
    })
    held.pop()?.release()
    await Promise.all(waiting)
    expect(order).toEqual([0, 1, 2, 3])
  })

  it("are waited for until the patience ends", async () => {
    const hasty = open(url, 1000)
    const clients = await Promise.all([hasty.connect(), hasty.connect(), hasty.connect()])
    await expect(hasty.query("select 1")).rejects.toMatchObject(LATE)
    clients[0].release()
    // The one that gave up has taken no connection with it.
    expect((await hasty.query("select 1 as one")).rows).toEqual([{ one: 1 }])
    clients[1].release()
    clients[2].release()
    await hasty.end()
  })

  it("are replaced after the database has ended them, as many as before", async () => {
    await hold(2)
    await ask(MAX)
    await queryDatabase(url, "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'test'")
    for (const client of held.splice(0)) {
      await expect(client.query("select 1")).rejects.toThrow(/terminat|not queryable/)
      client.release()
    }
    await expect.poll(async () => ask(1).catch(() => "broken")).toEqual([expect.any(Number)])
    await hold(MAX)
  })

  it("are not used again after a statement that fails, because it may have begun a transaction", async () => {
    await expect(connections.query("begin; select 1 / 0; commit")).rejects.toMatchObject({ code: "22012" })
    for (const pid of await ask(MAX)) expect(pid).toEqual(expect.any(Number))
  })
})

it("Only one connection is opened at a time, and what waits for it fails with it", async () => {
  const sockets: Socket[] = []
  const silent = createServer((socket) => void sockets.push(socket))
  silent.listen(0, "127.0.0.1")
  await once(silent, "listening")
  const connections = open(`postgres://nobody@127.0.0.1:${(silent.address() as AddressInfo).port}/none`, 60_000)
  const failures = Promise.allSettled(Array.from({ length: 5 }, () => connections.query("select 1")))
  await expect.poll(() => sockets.length).toBe(1)
  // Others would have connected by now.
  const probe = open(`postgres://nobody@127.0.0.1:${(silent.address() as AddressInfo).port}/none`, 60_000)
  const probing = probe.query("select 1").catch(() => {})
  await expect.poll(() => sockets.length).toBe(2)
  for (const socket of sockets) socket.destroy()
  const reasons = (await failures).map((failure) => failure.status === "rejected" && String(failure.reason))
  expect(new Set(reasons)).toEqual(new Set(["Error: Connection terminated unexpectedly"]))
  expect(sockets).toHaveLength(2)
  await probing
  await Promise.all([connections.end(), probe.end()])
  silent.close()
})
