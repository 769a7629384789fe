import { spawnSync } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { expect, it, onTestFinished } from "vitest"
import { readTokenFile } from "./token-file.ts"

it(
  "A pipe instead of the token file is refused without waiting for it",
  verifies("files.open.regular-only"),
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "tokens-"))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, "tokens.json")
    expect(spawnSync("mkfifo", [file]).status).toBe(0)
    await expect(readTokenFile(file)).rejects.toMatchObject({
      code: "bad_settings",
      message: expect.stringContaining("is not a regular file"),
    })
  },
)
