import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import {
  RUN_VARIABLE,
  endLeftHarnesses,
  isAlive,
  openAttempt,
  removeJobFolder,
  writeAttemptRecord,
} from "./harness-attempts.ts"

let folder: string
const children: ChildProcess[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "attempts-"))
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL")
  await rm(folder, { recursive: true, force: true })
})

function sleepOn(variables: Readonly<Record<string, string>> = {}): ChildProcess {
  const child = spawn("/bin/sleep", ["1000"], { detached: true, stdio: "ignore", env: variables })
  children.push(child)
  return child
}

/** Leaves an attempt as a killed runner does: the process of the harness still runs, the runner does not. */
async function leaveAttempt(leader: ChildProcess, run = "harness-left"): Promise<string> {
  const attempt = join(folder, "harness", run)
  await mkdir(attempt, { recursive: true })
  await writeFile(join(attempt, "results.json"), "old")
  await writeAttemptRecord(attempt, run, leader.pid ?? 0)
  return attempt
}

const ended = (child: ChildProcess) => (child.exitCode === null && child.signalCode === null ? once(child, "exit") : [])

describe("a new attempt", () => {
  it(
    "begins in its own folder after the processes of earlier attempts have ended",
    verifies("harness.attempts"),
    async () => {
      const left = sleepOn()
      await leaveAttempt(left)
      const attempt = await openAttempt(folder, "harness-next")
      await ended(left)
      expect(await readdir(join(folder, "harness"))).toEqual(["harness-next"])
      expect(await readdir(attempt)).toEqual(["attempt.json"])
    },
  )

  it(
    "ends processes of earlier attempts that went to another group, which it finds by their environment",
    verifies("harness.attempts"),
    async () => {
      const leader = sleepOn()
      const astray = sleepOn({ [RUN_VARIABLE]: "harness-left" })
      await leaveAttempt(leader)
      await openAttempt(folder, "harness-next")
      await Promise.all([ended(leader), ended(astray)])
    },
  )

  it("does not end a process that has the reused number of an earlier one", verifies("harness.attempts"), async () => {
    const other = spawn("/bin/cat", { detached: true })
    children.push(other)
    const ending = once(other, "exit")
    // This runs only if the process was wrongly ended.
    other.stdin.on("error", () => {})
    const attempt = await leaveAttempt(other)
    const { pid } = other
    const record = { run: "harness-left", runner: { pid, started_at: "1" }, leader: { pid, started_at: "1" } }
    await writeFile(join(attempt, "attempt.json"), JSON.stringify(record))
    await openAttempt(folder, "harness-next")
    // A process that got SIGKILL sends no more answers.
    other.stdin.write("Are you there?")
    const [answer] = await Promise.race([once(other.stdout, "data"), ending])
    expect(String(answer)).toBe("Are you there?")
  })

  it("removes folders of an earlier attempt that are hard to remove", async () => {
    const attempt = await openAttempt(folder, "harness-old")
    await mkdir(join(attempt, "work", "closed"), { recursive: true })
    await writeFile(join(attempt, "work", "closed", "file"), "")
    await mkdir(join(attempt, "work", "closed", "locked"), { mode: 0o000 })
    await openAttempt(folder, "harness-next")
    expect(await readdir(join(folder, "harness"))).toEqual(["harness-next"])
  })
})

it(
  "a harness runs while its runner lives, and is ended when the runner is gone",
  verifies("harness.attempts"),
  async () => {
    const leader = sleepOn()
    const attempt = await leaveAttempt(leader)
    await endLeftHarnesses(folder)
    expect(await isAlive(leader.pid ?? 0)).toBe(true)
    const gone = { pid: 2 ** 22 + 1, started_at: "1" }
    const text = JSON.stringify({ run: "harness-left", runner: gone, leader: null })
    await writeFile(join(attempt, "attempt.json"), text.replace("null", await leaderOf(attempt)))
    await endLeftHarnesses(folder)
    await ended(leader)
    expect(await readdir(join(folder, "harness"))).toEqual([])
  },
)

it("removing the folder of a job ends its harness", verifies("harness.attempts"), async () => {
  const leader = sleepOn()
  await leaveAttempt(leader)
  await removeJobFolder(folder)
  await ended(leader)
  await expect(readdir(folder)).rejects.toThrow("ENOENT")
})

async function leaderOf(attempt: string): Promise<string> {
  const { readFile } = await import("node:fs/promises")
  return JSON.stringify(JSON.parse(await readFile(join(attempt, "attempt.json"), "utf8")).leader)
}
