import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import process from "node:process"
import { afterEach, describe, expect, it } from "vitest"
import { watchProcess, type LimitName, type UsageLimits } from "./watch-usage.ts"

const started: ChildProcess[] = []
afterEach(() => started.splice(0).forEach((child) => child.kill("SIGKILL")))

async function start(program: string): Promise<number> {
  const child = spawn(process.execPath, ["-e", `process.stdout.write("x");${program}`])
  started.push(child)
  await once(child.stdout, "data")
  if (child.pid === undefined) throw new Error("The process was not started.")
  return child.pid
}

/** Resolves with the limit that the process exceeds. */
function overLimit(pid: number, limits: UsageLimits): Promise<LimitName> {
  return new Promise((resolve) => {
    const stop = watchProcess(pid, {
      limits,
      onOver(limit) {
        stop()
        resolve(limit)
      },
    })
  })
}

describe("watching a process", () => {
  it("reports a process that exceeds its processor time", async () => {
    const pid = await start("for (;;) {}")
    expect(await overLimit(pid, { cpuMs: 200, memoryMb: 4096 })).toBe("time")
  })

  it.runIf(process.platform === "linux")("reports a process that exceeds its memory", async () => {
    const pid = await start("globalThis.kept = Buffer.alloc(200 * 1024 * 1024, 1); setInterval(() => {}, 10_000)")
    expect(await overLimit(pid, { cpuMs: 60_000, memoryMb: 150 })).toBe("memory")
  })

  it.runIf(process.platform === "linux")("does not count time in which a process waits", async () => {
    const pid = await start("setInterval(() => {}, 10_000)")
    let isOver = false
    let looks = 0
    const stop = watchProcess(pid, {
      limits: { cpuMs: 300, memoryMb: 4096 },
      isWaiting: () => ++looks < 0,
      onOver: () => (isOver = true),
    })
    // By the wall clock, 300 ms passed long ago.
    await expect.poll(() => looks).toBeGreaterThan(20)
    stop()
    expect(isOver).toBe(false)
  })
})
