import { randomBytes, randomUUID } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { expect, it, onTestFinished } from "vitest"
import { createToken } from "./manage-tokens.ts"
import { readTokenFile } from "./token-file.ts"
import { openTokenStore } from "./token-store.ts"

it.each(["A B", "", "a--b", "Research", "x"])(
  "A token for the impossible workspace %j is refused, and none is stored",
  async (workspace) => {
    const folder = await mkdtemp(join(tmpdir(), "tokens-"))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, "tokens.json")
    const context = { file, now: () => 0, newId: (prefix: string) => `${prefix}-1`, randomBytes }
    const create = createToken(context, { name: "ci", grants: [{ workspace, role: "editor" }] })
    await expect(create).rejects.toThrow(`'${workspace}' can't be the name of a workspace`)
    expect(await readTokenFile(file)).toEqual([])
  },
)

it(
  "An expired token stays expired if the clock is set back, also after a restart",
  verifies("auth.token-expires"),
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "tokens-"))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, "tokens.json")
    let time = Date.UTC(2026, 10, 29)
    const now = () => time
    const context = { file, now, newId: (prefix: string) => `${prefix}-${randomUUID()}`, randomBytes }
    const create = (name: string, lifetimeMs: number) => createToken(context, { name, grants: [], lifetimeMs })
    const short = await create("short", 1000)
    const long = await create("long", 100_000)
    const store = openTokenStore(file, now)
    expect(await store.find(short.token)).toMatchObject({ name: "short" })
    time += 1000
    // Another token is used while this one is expired.
    expect(await store.find(long.token)).toMatchObject({ name: "long" })
    time -= 1000
    expect(await store.find(short.token)).toBeUndefined()
    expect(await store.get(short.record.id)).toBeUndefined()
    const marks = async () => (await readTokenFile(file)).map(({ name, is_expired }) => [name, is_expired])
    await expect.poll(marks).toEqual([
      ["short", true],
      ["long", undefined],
    ])
    const restarted = openTokenStore(file, now)
    expect(await restarted.find(short.token)).toBeUndefined()
    expect(await restarted.find(long.token)).toMatchObject({ name: "long" })
  },
)
