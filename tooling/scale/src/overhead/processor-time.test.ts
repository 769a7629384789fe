import { spawnSync } from "node:child_process"
import process from "node:process"
import { expect, it } from "vitest"
import { readProcessorTime } from "./processor-time.ts"

it.skipIf(process.platform !== "linux")(
  "The processor time of a process has that of its children apart, also of those that have ended",
  async () => {
    const { pid } = process
    const read = async () => (await readProcessorTime([pid])).get(pid) ?? { self: 0, children: 0 }
    const before = await read()
    const used = process.cpuUsage()
    spawnSync(process.execPath, ["-e", "for (const since = performance.now(); performance.now() - since < 300; );"])
    const { user, system } = process.cpuUsage(used)
    const after = await read()
    expect(after.children - before.children).toBeGreaterThan(0.03)
    expect(after.self - before.self).toBeLessThan((user + system) / 1e6 + 0.1)
  },
)
