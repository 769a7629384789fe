import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { kill } from "node:process"
import { beforeEach, describe, expect, it, vi } from "vitest"
import { openProcessLog } from "./process-log.ts"
import { listLogs, type ProcessesOptions, type ProcessTask, startProcesses } from "./start-processes.ts"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-processes-"))
  return () => rmSync(folder, { recursive: true, force: true })
})

const start = (tasks: readonly ProcessTask[], over: Partial<ProcessesOptions> = {}) =>
  startProcesses(tasks, {
    atOnce: 2,
    retries: 0,
    logs: join(folder, "logs"),
    cwd: folder,
    env: process.env,
    sleep: async (_milliseconds, signal) => signal?.throwIfAborted(),
    signal: new AbortController().signal,
    ...over,
  })
const task = (name: string, script: string): ProcessTask => ({ name, command: ["/bin/sh", "-c", script] })
const log = (name: string) => readFileSync(join(folder, "logs", name), "utf8")
const isAlive = (pid: number) => {
  try {
    kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe("processes of this machine", () => {
  it("run at most some at a time, and their output is kept", async () => {
    const script = "echo begin >> order; sleep 0.1; echo end >> order; echo said; echo bad >&2"
    const processes = start(
      ["0", "1", "2"].map((name) => task(name, script)),
      { atOnce: 1 },
    )
    await processes.ended
    expect(readFileSync(join(folder, "order"), "utf8")).toBe("begin\nend\n".repeat(3))
    expect(log("2-1.log").split("\n").toSorted()).toEqual(["", "bad", "said"])
    expect(processes.stateOf("2")).toEqual({ state: "ended", reason: undefined })
    expect(processes.stateOf("3")).toBeUndefined()
  })

  it("are started again if they fail or are killed, up to the retries", async () => {
    const processes = start(
      [
        task("heals", "if [ -e tried ]; then echo healed; else touch tried; kill -9 $$; fi"),
        task("fails", "echo try >> tries; exit 7"),
        { name: "none", command: ["/nonexistent/program"] },
      ],
      { retries: 2 },
    )
    await processes.ended
    expect(processes.stateOf("heals")).toEqual({ state: "ended", reason: undefined })
    expect(log("heals-1.log")).toContain("killed by SIGKILL")
    expect(log("heals-2.log")).toBe("healed\n")
    expect(processes.stateOf("fails")).toEqual({ state: "ended", reason: "exit code 7" })
    expect(readFileSync(join(folder, "tries"), "utf8")).toBe("try\n".repeat(3))
    expect(processes.stateOf("none")?.reason).toContain("there is no such program")
    expect(existsSync(join(folder, "logs", "none-2.log"))).toBe(false)
    expect((await listLogs(join(folder, "logs"), "fails")).map((file) => file.slice(-11))).toEqual([
      "fails-1.log",
      "fails-2.log",
      "fails-3.log",
    ])
  })

  it("end with the signal, with all processes that they started, also if they ignore SIGTERM, and none is started after it", async () => {
    const abort = new AbortController()
    const script =
      "trap '' TERM; echo $$ > $NAME.pid; (trap '' TERM; sleep 600) & echo $! > $NAME.child; wait; sleep 600"
    const processes = start(
      ["a", "b", "c"].map((name) => task(name, script.replaceAll("$NAME", name))),
      { signal: abort.signal, graceMs: 100, retries: 5 },
    )
    const files = ["a.pid", "a.child", "b.pid", "b.child"].map((name) => join(folder, name))
    const pidIn = (file: string) => Number(existsSync(file) ? readFileSync(file, "utf8") : "")
    await vi.waitFor(() => expect(files.every((file) => pidIn(file) > 0)).toBe(true), { timeout: 10_000 })
    const pids = files.map(pidIn)
    expect(pids.map(isAlive)).toEqual([true, true, true, true])
    abort.abort()
    await processes.ended
    await vi.waitFor(() => expect(pids.map(isAlive)).toEqual([false, false, false, false]), { timeout: 10_000 })
    expect(processes.stateOf("a")).toEqual({ state: "ended", reason: "stopped" })
    expect(processes.stateOf("c")?.state).toBe("ended")
    expect(existsSync(join(folder, "c.pid"))).toBe(false)
  })

  it("write each attempt into a new file, also if the logs of some attempts are gone", async () => {
    mkdirSync(join(folder, "logs"))
    for (const name of ["a-1.log", "a-3.log", "a-b-7.log"]) writeFileSync(join(folder, "logs", name), "old\n")
    await start([task("a", "echo new"), task("a-b", "echo new")]).ended
    expect([log("a-3.log"), log("a-4.log"), log("a-b-8.log")]).toEqual(["old\n", "new\n", "new\n"])
  })

  it("keep the first and the last mebibyte of a process that writes without end", async () => {
    const file = join(folder, "big.log")
    const opened = openProcessLog(file)
    // Long lines first, so that half of the lines is not half of the bytes.
    for (let line = 0; line < 100_000; line++) opened.add(`line ${line} ${"x".repeat(line < 50_000 ? 100 : 1)}`)
    for (let line = 0; line < 600; line++) opened.add(`end ${line} ${"x".repeat(line < 50 ? 1 : 4000)}`)
    await opened.end()
    const [first = "", last = ""] = readFileSync(file, "utf8").split(/\n… \d+ lines are left out …\n/)
    expect(first.startsWith("line 0 ")).toBe(true)
    const mebibyte = 1024 * 1024
    for (const part of [first, last]) {
      expect(part.length).toBeLessThanOrEqual(mebibyte)
      expect(part.length).toBeGreaterThan(mebibyte - 5000)
    }
    expect(last).toContain("\nend 599 ")
  })
})
