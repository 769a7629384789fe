import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { kill } from "node:process"
import { expect, it, onTestFinished, vi } from "vitest"
import { createStartedProcesses } from "./started-processes.ts"

const asked: number[] = []
const started = createStartedProcesses({
  cwd: "/",
  env: {},
  sleep: async (milliseconds) => void (await new Promise((resolve) => setTimeout(resolve, milliseconds))),
  cores: 1,
  host: "here",
  pid: 1,
  isProcessAlive(pid) {
    try {
      return kill(pid, 0)
    } catch {
      return false
    }
  },
  endProcess(pid) {
    asked.push(pid)
    kill(pid)
  },
})

/** Starts a process whose command line has the given words, and returns the submission of a run that names it. */
async function submissionOf(...words: readonly string[]) {
  const child = spawn("sh", ["-c", "echo ready; read -r line", ...words], { stdio: "pipe" })
  onTestFinished(() => void child.kill("SIGKILL"))
  await vi.waitFor(() => expect(child.stdout.readableLength).toBeGreaterThan(0))
  const { pid = 0 } = child
  const start = readFileSync(`/proc/${pid}/stat`, "utf8").split(" ")[21] ?? ""
  const withStart = (text: string) => ({
    executor: "local",
    ids: ["here", String(pid), text, "/logs"],
    indexes: [0],
    merges: false,
  })
  return { pid, submission: withStart(start), withStart }
}

it("ends the process of `assay eval` that a submission names", async () => {
  const { pid, submission, withStart } = await submissionOf("assay", "eval", "watch")
  await started.cancel(withStart("1"))
  expect(asked).not.toContain(pid)
  await started.cancel(submission)
  expect(asked).toContain(pid)
})

it("ends no other process of the user, although the folder of the run names it with the time at which it began", async () => {
  const { pid, submission } = await submissionOf("editor")
  await expect(started.cancel(submission)).rejects.toThrow(`Process ${pid}, which the run names, is not known`)
  expect(asked).not.toContain(pid)
})
