import { describe, expect, it } from "vitest"
import { parseSacct, parseSqueue, processOfTask, type SlurmTask } from "./slurm-tasks.ts"

const shown = (tasks: readonly SlurmTask[]) => tasks.map((task) => processOfTask(task.index, task))

describe("tasks of squeue", () => {
  it("are read from 17.11 to 25.05, which print pending arrays as one line or as one for each task", () => {
    const text = [
      "CLUSTER: gpu",
      "1201|4-7%2|PENDING||JobArrayTaskLimit",
      "1201|[8-9]|PENDING|(null)|Resources,BeginTime",
      "1201|3|RUNNING|node[17]|None",
      "1201|2|COMPLETING|node18|None",
      "1201|1|CONFIGURING|node19|None",
      "1201|0|OUT_OF_MEMORY|node17|OutOfMemory",
      "1300|N/A|PENDING||Dependency",
      "slurm_load_jobs: some warning",
      "",
    ].join("\n")
    expect(shown(parseSqueue(text))).toEqual([
      { index: 4, state: "waiting", reason: "JobArrayTaskLimit" },
      { index: 5, state: "waiting", reason: "JobArrayTaskLimit" },
      { index: 6, state: "waiting", reason: "JobArrayTaskLimit" },
      { index: 7, state: "waiting", reason: "JobArrayTaskLimit" },
      { index: 8, state: "waiting", reason: "Resources,BeginTime" },
      { index: 9, state: "waiting", reason: "Resources,BeginTime" },
      { index: 3, state: "running", location: "node[17]" },
      { index: 2, state: "running", location: "node18", reason: "COMPLETING" },
      { index: 1, state: "waiting", location: "node19", reason: "CONFIGURING" },
      { index: 0, state: "ended", location: "node17", reason: "OUT_OF_MEMORY" },
    ])
  })

  it.each(["CANCELLED", "FAILED", "TIMEOUT", "NODE_FAIL", "PREEMPTED", "DEADLINE", "BOOT_FAIL", "COMPLETED"])(
    "%s is the end of a task",
    (state) => {
      expect(shown(parseSqueue(`9|0|${state}|n1|NonZeroExitCode\n`))).toEqual([
        { index: 0, state: "ended", location: "n1", reason: state },
      ])
    },
  )

  it.each(["REQUEUED", "REQUEUE_HOLD", "SPECIAL_EXIT"])("%s is a task that waits again", (state) => {
    expect(shown(parseSqueue(`9|0|${state}||launch failed requeued held\n`))).toEqual([
      { index: 0, state: "waiting", reason: state },
    ])
  })

  it("a state that is not known, and one of a later version, is not the end of a task", () => {
    expect(shown(parseSqueue("9|0|EXPEDITING|n1|None\n9|1|??|n1|None"))).toEqual([
      { index: 0, state: "running", location: "n1", reason: "EXPEDITING" },
      { index: 1, state: "running", location: "n1", reason: "UNKNOWN" },
    ])
  })

  it("names and reasons of Slurm are bounded, and shown without control characters", () => {
    const [task] = parseSqueue(`9|0|PENDING|n\u001B[2J|${"why|".repeat(1000)}`)
    expect(task?.node).toBe("n⟨U+001B⟩[2J")
    expect(task?.waitsFor?.length).toBeLessThanOrEqual(200)
    expect(task?.waitsFor).toContain("why|why")
  })
})

describe("tasks of sacct", () => {
  it("are read without steps, with the user who cancelled one, and with pending ranges", () => {
    const text = [
      "1201_0|COMPLETED|node17",
      "1201_0.batch|COMPLETED|node17",
      "1201_1|CANCELLED by 1000|node18",
      "1201_2|OUT_OF_MEMORY|node19",
      "1201_3|TIMEOUT|node19",
      "1201_[4-5%8]|PENDING|None assigned",
      "1300|COMPLETED|node1",
      "",
    ].join("\n")
    const tasks = parseSacct(text)
    expect(tasks.map(({ index, state, node }) => [index, state, node])).toEqual([
      [0, "COMPLETED", "node17"],
      [1, "CANCELLED", "node18"],
      [2, "OUT_OF_MEMORY", "node19"],
      [3, "TIMEOUT", "node19"],
      [4, "PENDING", undefined],
      [5, "PENDING", undefined],
    ])
  })
})
