import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pid } from "node:process"
import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { watchLimits } from "./harness-limits.ts"

it(
  "The limits of a harness are watched on after its use could not be measured once",
  verifies("harness.limits"),
  async () => {
    const parent = await mkdtemp(join(tmpdir(), "assay-limits-"))
    const folder = join(parent, "not-yet")
    const over: string[] = []
    const end = watchLimits(pid, {
      limits: { disk: 1_000_000 },
      folders: [folder],
      now: Date.now,
      onOver: (what) => void over.push(what),
    })
    try {
      await new Promise((resolve) => setTimeout(resolve, 500))
      expect(over).toEqual([])
      await mkdir(folder)
      await writeFile(join(folder, "large"), Buffer.alloc(2_000_000, 1))
      await expect.poll(() => over, { timeout: 10_000 }).toEqual([expect.stringContaining("harness.limits.disk")])
    } finally {
      end()
      await rm(parent, { recursive: true })
    }
  },
)
