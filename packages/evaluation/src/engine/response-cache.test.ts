import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openResponseCache, responseKey } from "./response-cache.ts"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "responses-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

const ASKED = { baseUrl: "http://host/v1", model: "m", body: { temperature: 0, messages: ["a"] }, repeat: 0 }

describe("the cache key of an answer", () => {
  it.each([
    { baseUrl: "http://other/v1" },
    { model: "n" },
    { body: { temperature: 1, messages: ["a"] } },
    { body: { temperature: 0, messages: ["b"] } },
    { body: { temperature: 0, messages: ["a"], seed: null } },
    { repeat: 1 },
    {
      body: [
        ["messages", ["a"]],
        ["temperature", 0],
      ],
    },
  ])("differs for $baseUrl$model$body$repeat", verifies("run.cache"), (change) => {
    expect(responseKey({ ...ASKED, ...change })).not.toBe(responseKey(ASKED))
  })

  it("differs for an empty list and an empty object", () => {
    const keyOf = (body: unknown) => responseKey({ ...ASKED, body })
    expect(keyOf({ filter: [] })).not.toBe(keyOf({ filter: {} }))
  })

  it.each([
    { body: { messages: ["a"], temperature: 0 } },
    { baseUrl: "http://host/v1/" },
    { baseUrl: "http://host/v1/chat/completions" },
  ])("is the same for $baseUrl$body", (change) => {
    expect(responseKey({ ...ASKED, ...change })).toBe(responseKey(ASKED))
  })
})

describe("the response cache", () => {
  const key = responseKey(ASKED)

  it("returns stored answers to every process that opens the folder", verifies("run.cache"), async () => {
    const first = openResponseCache(join(folder, "new"))
    expect(await first.read(key)).toBeUndefined()
    first.write(key, { text: "ünsafe 😀" })
    await first.close()
    first.write(key, { text: "a second one" })
    await first.close()
    expect(await openResponseCache(join(folder, "new")).read(key)).toEqual({ text: "ünsafe 😀" })
  })

  it("deletes an answer that was cut off by a crash, and stores the next one", async () => {
    const cache = openResponseCache(folder)
    cache.write(key, { text: "whole" })
    await cache.close()
    const file = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((name) => name.endsWith(".json"))
    writeFileSync(join(folder, file ?? ""), '{"answer":{"text":"who')
    expect(await cache.read(key)).toBeUndefined()
    cache.write(key, { text: "again" })
    await cache.close()
    expect(await cache.read(key)).toEqual({ text: "again" })
  })

  it("ignores a folder that can't be used", async () => {
    writeFileSync(join(folder, "file"), "")
    const cache = openResponseCache(join(folder, "file"))
    cache.write(key, {})
    await cache.close()
    expect(await cache.read(key)).toBeUndefined()
  })
})
