import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { platform } from "node:process"
import { describe, expect, it, onTestFinished } from "vitest"
import { sweepCalls } from "@assay/testkit"
import { changeTokenFile } from "./token-file.ts"

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "failing-disk-"))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

// The paths of descriptors are read from /proc.
describe.runIf(platform === "linux")("a file of tokens on a disk that fails", () => {
  let added = 0
  it.each(["link", "open"] as const)("has its former tokens after an error, whichever %s fails", async (call) => {
    const file = join(await newFolder(), "tokens.json")
    const add = (id: string) =>
      changeTokenFile(file, (tokens) => [
        ...tokens,
        { id, name: id, sha256: "0".repeat(64), grants: [], expires_at: null },
      ])
    await add("first")
    const errors = await sweepCalls({
      call,
      code: "EIO",
      check: (error, before, after) => {
        expect(error).toMatchObject({ code: expect.stringMatching(/^(?:EIO|upstream_failed)$/) })
        expect(after).toEqual(before)
      },
      prepare: async () => ({ read: () => readFile(file, "utf8"), run: () => add(`token-${(added += 1)}`) }),
    })
    expect(errors).toBeGreaterThan(0)
  })
})
