import { spawnSync } from "node:child_process"
import process from "node:process"
import { expect, it } from "vitest"
import { readProcessorTime } from "./processor-time.ts"

it.skipIf(process.platform !== "linux")(
  "The processor time of a process has that of its children apart, also of those that have ended",
  async () => {
    const { pid } = process
    const read = async () => (await readProcessorTime([pid])).get(pid) ?? { self: 0, children: 0 }
    // Around both readings, because each of them needs processor time too.
    const used = process.cpuUsage()
    const before = await read()
    spawnSync(process.execPath, ["-e", "while (process.cpuUsage().user < 400_000);"])
    const after = await read()
    const { user, system } = process.cpuUsage(used)
    expect(after.children - before.children).toBeGreaterThan(0.35)
    expect(after.self - before.self).toBeLessThan((user + system) / 1e6 + 0.1)
  },
)
