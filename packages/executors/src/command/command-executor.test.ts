import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeEach, describe, expect, it } from "vitest"
import type { ShardWork } from "../executor.ts"
import type { ProcessPorts } from "../processes/process-ports.ts"
import { createCommandExecutor } from "./command-executor.ts"
import type { CommandProfile } from "./command-profile.ts"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-command-"))
  return () => rmSync(folder, { recursive: true, force: true })
})

const work: ShardWork = {
  run: "/run",
  id: "eval-1",
  name: "test",
  count: 20,
  indexes: Array.from({ length: 20 }, (_, index) => index),
  atOnce: 2,
  program: ["assay"],
  options: [],
  merges: false,
  retries: 0,
}

/** Creates an executor whose commands are scripts of sh, which get the index or the id as `$1`. */
function executorOf(submit: string, cancel?: string) {
  const ports: ProcessPorts = {
    cwd: folder,
    env: { PATH: process.env["PATH"] },
    sleep: async () => {},
    cores: 2,
    host: "here",
    pid: process.pid,
    isProcessAlive: () => true,
    endProcess: () => {},
  }
  const profile: CommandProfile = {
    waits: false,
    command: ["sh", "-c", submit, "sh", "{index}"],
    ...(cancel === undefined ? {} : { cancel: ["sh", "-c", cancel, "sh", "{id}"] }),
  }
  return createCommandExecutor(profile, ports)
}

/** Returns the lines of a file in which commands note what they did. */
function noted(name: string): readonly string[] {
  const file = join(folder, name)
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").toSorted() : []
}

const NEVER = new AbortController().signal
const submission = (ids: readonly string[]) => ({ executor: "command", ids, indexes: [0], merges: false })

describe("a command that submits shards", () => {
  it("ends its calls and cancels what they have submitted if the caller gives up", async () => {
    const submit = `echo "$1" >>began; while [ ! -e go ]; do sleep 0.02; done; echo "job-$1" | tee -a submitted`
    const abort = new AbortController()
    const submitting = executorOf(submit, `echo "$1" >>cancelled`).submit(work, abort.signal)
    await expect.poll(() => noted("began").length).toBe(8)
    abort.abort(new Error("stopped by the user"))
    writeFileSync(join(folder, "go"), "")
    await expect(submitting).rejects.toThrow("stopped by the user")
    expect(noted("submitted")).toHaveLength(8)
    expect(noted("cancelled")).toEqual(noted("submitted"))
  })

  it("cancels what was submitted if a call fails, or names it if the profile has no `cancel`", async () => {
    const submit = `echo "$1" >>began; [ "$1" -lt 3 ] || { until [ "$(wc -l <began)" -ge 6 ]; do sleep 0.02; done; echo full >&2; exit 1; }; echo "job-$1"`
    await expect(executorOf(submit, `echo "$1" >>cancelled`).submit(work, NEVER)).rejects.toThrow(/exit code 1.*full/)
    expect(noted("cancelled")).toEqual(["job-0", "job-1", "job-2"])
    await expect(executorOf(submit).submit(work, NEVER)).rejects.toMatchObject({
      code: "executor_failed",
      message: expect.stringMatching(
        /full\. Some shards were submitted before\..*no `cancel`.*job-0.*end it with the tools/,
      ),
    })
  })

  it("has to print an id if `cancel` needs one, because nothing else may be cancelled", async () => {
    await expect(executorOf("true", "touch cancelled-$1").submit(work, NEVER)).rejects.toThrow(
      "printed nothing on stdout",
    )
    expect((await executorOf("true").submit({ ...work, indexes: [7] }, NEVER)).ids).toEqual(["00007"])
  })

  it("is cancelled id by id, also if some of them can't be ended any more", async () => {
    const executor = executorOf("", `[ "$1" != ended ] || exit 1; echo "$1" >>cancelled`)
    await expect(executor.cancel(submission(["ended", "a", "a", "b"]))).rejects.toThrow(
      "1 of 3 calls of `cancel` failed",
    )
    expect(noted("cancelled")).toEqual(["a", "b"])
  })

  it("refuses ids that its `cancel` would read as options", async () => {
    const executor = executorOf("", `echo "$1" >>cancelled`)
    await expect(executor.cancel(submission(["a", "--all"]))).rejects.toThrow("'--all' is not an id")
    expect(noted("cancelled")).toEqual([])
  })

  it("is rendered without a number of calls at a time, because each call returns at once", async () => {
    expect(await executorOf("echo").render(work)).toMatch(/^# 20 calls:\nsh -c echo sh 0\n/)
  })
})
