import { setTimeout as pause } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { allAre, ENDLESS, untilShards, workOf } from "../testing/cluster-work.ts"
import { startTestCluster } from "../testing/start-test-cluster.ts"
import type { ExecutorPorts } from "../executor.ts"
import { createKubernetesExecutor } from "./kubernetes-executor.ts"

const never = new AbortController().signal
const allEnded = allAre("ended")
const atOnce: Pick<ExecutorPorts, "sleep"> = { sleep: () => Promise.resolve() }

describe("submitJobs", () => {
  it("creates a Job once if the answer was lost, and if the process was killed before it stored the submission", async () => {
    await using test = await startTestCluster()
    const ports = { ...test.ports, sleep: () => Promise.resolve() }
    const executor = createKubernetesExecutor(test.profile, ports)
    const work = workOf(test, ENDLESS)
    test.cluster.faults.add({ when: ({ verb }) => verb === "create", times: 1, fault: { kind: "lose-answer" } })
    const first = await executor.submit(work, never)
    const second = await createKubernetesExecutor(test.profile, ports).submit(work, never)
    expect(second).toEqual(first)
    expect(test.cluster.jobs().length).toBe(1)
  })

  it("refuses shards that another Job of the run still runs, and runs them again after it has ended", async () => {
    await using test = await startTestCluster()
    const executor = createKubernetesExecutor(test.profile, test.ports)
    const script = "if (process.argv.includes('--indexes') === false) setTimeout(() => {}, 1e6)"
    const first = await executor.submit(workOf(test, script), never)
    const missing = workOf(test, script, { indexes: [2, 3], options: ["--key-host", "b"] })
    await expect(executor.submit(missing, never)).rejects.toThrow(
      "The Job 'assay-mmlu-3f9a0c11d2-1' still runs shards of this run (2-3): cancel it, or wait for its end.",
    )
    await executor.cancel(first)
    const second = await executor.submit(missing, never)
    expect(second.ids[0]).toBe("evaluations/assay-mmlu-3f9a0c11d2-2")
    await untilShards(executor, second, allEnded)
  })

  it("removes the shards again if the merge can't be created", async () => {
    await using test = await startTestCluster()
    const executor = createKubernetesExecutor(test.profile, { ...test.ports, sleep: () => Promise.resolve() })
    test.cluster.faults.add({
      when: ({ verb, body }) => verb === "create" && body.includes("-merge"),
      fault: { kind: "status", status: "unavailable" },
    })
    const work = workOf(test, ENDLESS, { merges: true })
    await expect(executor.submit(work, never)).rejects.toThrow("(503)")
    const [job] = test.cluster.jobs()
    expect(job === undefined || job.metadata.deletionTimestamp !== undefined).toBe(true)
  })

  it("takes its Job if the first answer was lost, and the server is unavailable afterwards", async () => {
    await using test = await startTestCluster()
    const executor = createKubernetesExecutor(test.profile, { ...test.ports, ...atOnce })
    const isCreation = ({ verb }: { readonly verb: string }) => verb === "create"
    test.cluster.faults.add({ when: isCreation, times: 1, fault: { kind: "lose-answer" } })
    test.cluster.faults.add({ when: isCreation, skip: 1, fault: { kind: "status", status: "unavailable" } })
    const submission = await executor.submit(workOf(test, ENDLESS), never)
    expect(submission.ids).toEqual(["evaluations/assay-mmlu-3f9a0c11d2-1"])
    await untilShards(executor, submission, allAre("running"))
  })

  it("returns a Job that may run if the server is away from its creation on", async () => {
    await using test = await startTestCluster()
    const executor = createKubernetesExecutor(test.profile, { ...test.ports, ...atOnce })
    test.cluster.faults.add({
      when: ({ verb }) => {
        if (verb === "create") test.cluster.setAway(true)
        return verb === "create"
      },
      fault: { kind: "lose-answer" },
    })
    const submission = await executor.submit(workOf(test, ENDLESS, { merges: true }), never)
    // Nobody knows that a merge runs.
    expect(submission).toMatchObject({ ids: ["evaluations/assay-mmlu-3f9a0c11d2-1", expect.anything()], merges: false })
    test.cluster.setAway(false)
    await untilShards(executor, submission, allAre("running"))
    await executor.cancel(submission)
    await untilShards(executor, submission, allEnded)
  })

  it("removes a Job that was created while somebody interrupted it", async () => {
    await using test = await startTestCluster()
    const executor = createKubernetesExecutor(test.profile, test.ports)
    const controller = new AbortController()
    test.cluster.faults.add({
      when: ({ verb }) => {
        if (verb === "create") controller.abort(new Error("stopped"))
        return verb === "create"
      },
      fault: { kind: "lose-answer" },
    })
    await expect(executor.submit(workOf(test, ENDLESS), controller.signal)).rejects.toThrow("stopped")
    while (test.cluster.jobs().length + test.cluster.pods().length > 0) await pause(20)
  })

  it("takes a Job that still has to run all shards, with those of them that are done by now", async () => {
    await using test = await startTestCluster()
    const executor = createKubernetesExecutor(test.profile, test.ports)
    const script = `if (process.env.JOB_COMPLETION_INDEX > 1) ${ENDLESS}`
    const first = await executor.submit(workOf(test, script), never)
    await untilShards(executor, first, ([, one, two]) => one?.state === "ended" && two?.state === "running")
    expect(await executor.submit(workOf(test, script, { indexes: [2, 3] }), never)).toEqual(first)
    expect(test.cluster.jobs()).toHaveLength(1)
    await expect(executor.submit(workOf(test, script, { indexes: [1, 2] }), never)).rejects.toThrow("(2)")
  })

  it("waits for the pods of a deleted Job before it creates another one", async () => {
    await using test = await startTestCluster()
    const executor = createKubernetesExecutor(test.profile, test.ports)
    const script = `process.on("SIGTERM", () => setTimeout(() => process.exit(130), 300)); ${ENDLESS}`
    const first = await executor.submit(workOf(test, script), never)
    await untilShards(executor, first, allAre("running"))
    // A process of Node needs a moment until it handles signals.
    await pause(300)
    await executor.cancel(first)
    const running: number[] = []
    test.cluster.faults.add({
      when: ({ verb }) => {
        if (verb === "create")
          running.push(test.cluster.pods().filter(({ status }) => status.phase === "Running").length)
        return false
      },
      fault: { kind: "hang-up" },
    })
    await executor.submit(workOf(test, script), never)
    expect(running).toEqual([0])
  })

  it("does not wait for a pod whose node is lost longer than pods have to end", async () => {
    await using test = await startTestCluster()
    const waits: number[] = []
    const sleep: ExecutorPorts["sleep"] = async (milliseconds) => void waits.push(milliseconds)
    const executor = createKubernetesExecutor({ ...test.profile, grace_seconds: 5 }, { ...test.ports, sleep })
    const script = `process.on("SIGTERM", () => {}); ${ENDLESS}`
    const first = await executor.submit(workOf(test, script), never)
    await untilShards(executor, first, allAre("running"))
    await pause(300)
    await executor.cancel(first)
    await executor.submit(workOf(test, script), never)
    expect(waits).toEqual(Array.from({ length: 15 }, () => 1000))
  })
})
