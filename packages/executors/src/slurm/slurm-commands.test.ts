import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import type { ShardWork } from "../executor.ts"
import { createSlurmExecutor } from "./slurm-executor.ts"

const NEVER = new AbortController().signal

/** Commands that print what those of other versions and clusters do. They keep their arguments. */
function createCommands(commands: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), "assay-slurm-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, "bin"))
  for (const [name, script] of Object.entries(commands)) {
    writeFileSync(
      join(folder, "bin", name),
      `#!/bin/sh\necho "$0 $*" >>"$CALLS"\ncd "$(dirname "$CALLS")"\n${script}\n`,
      { mode: 0o755 },
    )
  }
  const calls = join(folder, "calls")
  const env = { PATH: `${join(folder, "bin")}:/usr/bin:/bin`, CALLS: calls }
  return {
    folder,
    executor: createSlurmExecutor({}, { cwd: folder, env, sleep: async () => {} }),
    called: () =>
      readFileSync(calls, "utf8")
        .replaceAll(`${join(folder, "bin")}/`, "")
        .trim()
        .split("\n"),
  }
}

const SUBMISSION = { executor: "slurm", ids: ["7", "8+1001", "9"], indexes: [0, 1, 1003, 1004], merges: true }
const FORGOTTEN = "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1"

describe("commands of Slurm", () => {
  it("tasks that left the queue are looked up in the accounting, also on another cluster", async () => {
    const { executor, called } = createCommands({
      squeue: 'case "$*" in *clusters=gpu*) echo "8|3|RUNNING|n9|None";; *) echo "7|0|PENDING||Priority";; esac',
      sacct: 'case "$*" in *clusters=gpu*) echo "8_2|NODE_FAIL|n8";; *) echo "7_1|CANCELLED by 1000|n1";; esac',
    })
    const submission = { ...SUBMISSION, ids: ["7", "8;gpu+1001", "9;gpu"] }
    expect(await executor.look(submission, NEVER)).toEqual([
      { index: 0, state: "waiting", reason: "Priority" },
      { index: 1, state: "ended", location: "n1", reason: "CANCELLED" },
      { index: 1003, state: "ended", location: "n8", reason: "NODE_FAIL" },
      { index: 1004, state: "running", location: "n9" },
    ])
    const queue = [
      "squeue --array --format=%F|%K|%T|%N|%r --noheader --all --states=all --jobs=7",
      "squeue --clusters=gpu --array --format=%F|%K|%T|%N|%r --noheader --all --states=all --jobs=8",
    ]
    const accounting = [
      "sacct --noheader --parsable2 --allocations --format=JobID,State,NodeList --jobs=7_1",
      "sacct --clusters=gpu --noheader --parsable2 --allocations --format=JobID,State,NodeList --jobs=8_2",
    ]
    expect(called()).toEqual([...queue, ...accounting])
    // How a task ended is asked once.
    expect(await executor.look(submission, NEVER)).toMatchObject([
      {},
      { reason: "CANCELLED" },
      { reason: "NODE_FAIL" },
      {},
    ])
    expect(called()).toEqual([...queue, ...accounting, ...queue])
  })

  it("a task that is in the queue again is looked up again when it has left", async () => {
    const { executor, folder } = createCommands({
      squeue: `[ ! -e queued ] || echo "7|0|RUNNING|n1|None"`,
      sacct: `echo "7_0|$(cat state)|n1"`,
    })
    const submission = { ...SUBMISSION, ids: ["7"], indexes: [0], merges: false }
    const look = async () => (await executor.look(submission, NEVER))[0]
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
    write("state", "RUNNING")
    expect(await look()).toEqual({ index: 0, state: "ended" })
    write("state", "NODE_FAIL")
    expect(await look()).toMatchObject({ state: "ended", reason: "NODE_FAIL" })
    write("queued", "")
    write("state", "COMPLETED")
    expect(await look()).toMatchObject({ state: "running" })
    rmSync(join(folder, "queued"))
    expect(await look()).toMatchObject({ state: "ended", reason: "COMPLETED" })
  })

  it("of more than 1,000 tasks that have left, their arrays are looked up", async () => {
    const { executor, called } = createCommands({ squeue: FORGOTTEN, sacct: `echo "7_3|FAILED|n1"` })
    const indexes = Array.from({ length: 1002 }, (_, index) => index)
    const looked = await executor.look({ ...SUBMISSION, ids: ["7", "8+1001"], indexes, merges: false }, NEVER)
    expect(looked[3]).toMatchObject({ state: "ended", reason: "FAILED" })
    expect(called().at(-1)).toMatch(/ --jobs=7,8$/)
  })

  it.each([
    ["is disabled", "echo 'Slurm accounting storage is disabled' >&2; exit 1"],
    ["does not respond", "echo 'sacct: error: Unable to connect to database' >&2; exit 1"],
  ])("tasks that Slurm has forgotten have ended if the accounting %s", async (_, sacct) => {
    const { executor } = createCommands({ squeue: FORGOTTEN, sacct })
    const ended = SUBMISSION.indexes.map((index) => ({ index, state: "ended" }))
    expect(await executor.look(SUBMISSION, NEVER)).toEqual(ended)
  })

  const NAMES = "echo '7|assay-test'; echo '8|assay-test'; echo '9|assay-test-merge'"

  it("jobs that go meanwhile are cancelled, and the merge is the first one", async () => {
    const gone = "scancel: error: Kill job error on job id 7: Invalid job id specified"
    const { executor, called } = createCommands({ squeue: NAMES, scancel: `echo '${gone}' >&2; exit 1` })
    await executor.cancel(SUBMISSION)
    expect(called()).toEqual(["squeue --format=%F|%j --noheader --all --states=all --jobs=9,8,7", "scancel 9 8 7"])
  })

  it("jobs that Slurm has forgotten are not cancelled", async () => {
    const { executor, called } = createCommands({ squeue: "echo '8|assay-test'", scancel: "" })
    await executor.cancel(SUBMISSION)
    expect(called().at(-1)).toBe("scancel 8")
  })

  it("a job that Assay did not submit is not cancelled, although the folder of the run names it", async () => {
    const { executor, called } = createCommands({ squeue: `${NAMES}; echo '8|train'`, scancel: "" })
    await expect(executor.cancel(SUBMISSION)).rejects.toThrow(
      "The run names the Slurm job 8, which is called 'train' and is not one of Assay",
    )
    expect(called()).toHaveLength(1)
  })

  it("a job that may not be cancelled is an error with what Slurm said", async () => {
    const denied = "scancel: error: Kill job error on job id 7: Access/permission denied"
    const { executor } = createCommands({ squeue: NAMES, scancel: `echo '${denied}' >&2; exit 1` })
    await expect(executor.cancel(SUBMISSION)).rejects.toMatchObject({
      code: "executor_failed",
      message: `\`scancel\` failed: ${denied}`,
    })
  })

  const work: ShardWork = {
    run: "s3://bucket/run",
    id: "eval-1",
    name: "test",
    count: 3,
    indexes: [0, 1, 2],
    atOnce: 3,
    program: ["assay"],
    options: [],
    merges: true,
    retries: 0,
  }

  it("a submission to another cluster keeps its name, and lines of plugins are left out", async () => {
    const { executor, folder, called } = createCommands({
      scontrol: "echo 'MaxArraySize            = 2'",
      sbatch: "echo 'Welcome to the cluster'; echo \"$(wc -l <\"$CALLS\" | tr -d ' ');gpu\"",
    })
    expect(await executor.submit(work, NEVER)).toEqual({
      ids: ["2;gpu", "3;gpu+2", "4;gpu"],
      indexes: [0, 1, 2],
      merges: true,
      logs: join(folder, "assay-logs-eval-1"),
    })
    expect(called()).toEqual([
      "scontrol show config",
      "sbatch --parsable --export=ALL",
      "sbatch --parsable --export=ALL",
      "sbatch --parsable --export=ALL --dependency=afterany:2:3 --kill-on-invalid-dep=yes",
    ])
  })

  it("arrays that were taken are cancelled if the next one is refused", async () => {
    const limit = "sbatch: error: QOSMaxSubmitJobPerUserLimit"
    const { executor, called } = createCommands({
      scontrol: "echo 'MaxArraySize = 2'",
      sbatch: `if [ "$(wc -l <"$CALLS")" -gt 2 ]; then echo '${limit}' >&2; exit 1; fi; echo 41`,
      squeue: "echo '41|assay-test'",
      scancel: "",
    })
    await expect(executor.submit(work, NEVER)).rejects.toThrow(`\`sbatch\` failed: ${limit}`)
    expect(called().at(-1)).toBe("scancel 41")
  })

  it("arrays that can't be cancelled after the next one was refused are named", async () => {
    const { executor } = createCommands({
      scontrol: "echo 'MaxArraySize = 2'",
      sbatch: `if [ "$(wc -l <"$CALLS")" -gt 2 ]; then echo refused >&2; exit 1; fi; echo 41`,
      squeue: "echo busy >&2; exit 1",
    })
    await expect(executor.submit(work, NEVER)).rejects.toThrow(
      "`sbatch` failed: refused. The jobs 41 were submitted before, and could not be cancelled: end them with `scancel`. `squeue` failed: busy",
    )
  })

  it("a job that is submitted while the caller gives up is cancelled", async () => {
    const { executor, folder, called } = createCommands({
      scontrol: "",
      sbatch: `touch "$CALLS-began"; while [ ! -e "$CALLS-go" ]; do sleep 0.02; done; echo 41`,
      squeue: "echo '41|assay-test'",
      scancel: "",
    })
    const abort = new AbortController()
    const submitted = executor.submit(work, abort.signal)
    await expect.poll(() => existsSync(join(folder, "calls-began"))).toBe(true)
    abort.abort(new Error("stopped by the user"))
    writeFileSync(join(folder, "calls-go"), "")
    await expect(submitted).rejects.toThrow("stopped by the user")
    expect(called().slice(1)).toEqual([
      "sbatch --parsable --export=ALL",
      expect.stringMatching(/^squeue/),
      "scancel 41",
    ])
  })

  it("a cluster without arrays is an error before anything is submitted", async () => {
    const { executor, called } = createCommands({ scontrol: "echo 'MaxArraySize = 0'", sbatch: "echo 1" })
    await expect(executor.submit(work, NEVER)).rejects.toThrow("The cluster has no job arrays (MaxArraySize is 0)")
    expect(called()).toEqual(["scontrol show config"])
  })

  it("what a command prints is bounded in its error", async () => {
    const { executor } = createCommands({ squeue: "head -c 100000 /dev/zero | tr '\\0' 'x' >&2; exit 1" })
    const error = await executor.look(SUBMISSION, NEVER).catch((one: unknown) => one)
    expect(error).toMatchObject({ code: "executor_failed" })
    expect((error as Error).message.length).toBeLessThan(2000)
  })
})
