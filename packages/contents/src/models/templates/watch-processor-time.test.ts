import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import process from "node:process"
import { afterEach, describe, expect, it } from "vitest"
import { watchProcessorTime } from "./watch-processor-time.ts"

const started: ChildProcess[] = []
afterEach(() => started.splice(0).forEach((child) => child.kill("SIGKILL")))

async function start(program: string): Promise<number> {
  const child = spawn(process.execPath, ["-e", `process.stdout.write("x");${program}`])
  started.push(child)
  await once(child.stdout, "data")
  if (child.pid === undefined) throw new Error("The process was not started.")
  return child.pid
}

describe("the watch over the processor time of a process", () => {
  it("ends a process that works", async () => {
    const pid = await start("for (;;) {}")
    await new Promise<void>((resolve) => {
      const stop = watchProcessorTime(pid, 200, () => {
        stop()
        resolve()
      })
    })
  })

  it.runIf(process.platform === "linux")("does not count the time that a process waits", async () => {
    const pid = await start("setInterval(() => {}, 10_000)")
    let isOver = false
    const stop = watchProcessorTime(pid, 500, () => (isOver = true))
    const busy = await start("for (;;) {}")
    // The other process has worked for 1 s: the one that waits has been watched for at least as long.
    await new Promise<void>((resolve) => {
      const stopBusy = watchProcessorTime(busy, 1000, () => {
        stopBusy()
        resolve()
      })
    })
    stop()
    expect(isOver).toBe(false)
  })
})
