import { setTimeout as pause } from "node:timers/promises"
import { describe, expect, it, vi } from "vitest"
import { allAre, ENDLESS, untilShards, workOf } from "../testing/cluster-work.ts"
import { startTestCluster } from "../testing/start-test-cluster.ts"
import { createKubernetesExecutor } from "./kubernetes-executor.ts"

const never = new AbortController().signal
const allEnded = allAre("ended")

describe("stopJob", () => {
  it("stops all pods when it cancels, and cancels again without an error", async () => {
    await using test = await startTestCluster()
    const executor = createKubernetesExecutor(test.profile, test.ports)
    const work = workOf(test, ENDLESS, { merges: true })
    const submission = await executor.submit(work, never)
    await untilShards(executor, submission, allAre("running"))
    await executor.cancel(submission)
    const all = await untilShards(executor, submission, allEnded)
    expect(all[0]?.reason).toBe("JobDeleted")
    while (test.cluster.jobs().length + test.cluster.pods().length > 0) await pause(20)
    await executor.cancel(submission)
  })

  it("keeps the pods and logs of a Job that has ended when it cancels", async () => {
    await using test = await startTestCluster()
    const executor = createKubernetesExecutor({ ...test.profile, pod_retries: 0 }, test.ports)
    const submission = await executor.submit(workOf(test, "console.log('bad'); process.exit(1)"), never)
    await untilShards(executor, submission, allEnded)
    while (test.cluster.jobs()[0]?.status.conditions.some(({ type }) => type === "Failed") !== true) await pause(5)
    await executor.cancel(submission)
    expect(test.cluster.jobs()[0]?.metadata.deletionTimestamp).toBeUndefined()
    expect((await Array.fromAsync(executor.logs(submission, 1, never))).join("")).toContain("bad\n")
  })

  it("stops the shards if the merge can't be stopped, and says so", async () => {
    await using test = await startTestCluster()
    const executor = createKubernetesExecutor(test.profile, { ...test.ports, sleep: () => Promise.resolve() })
    const submission = await executor.submit(workOf(test, ENDLESS, { merges: true }), never)
    test.cluster.faults.add({
      when: ({ verb, name }) => verb === "delete" && name?.endsWith("-merge") === true,
      fault: { kind: "status", status: "unavailable" },
    })
    await expect(executor.cancel(submission)).rejects.toThrow(
      "failed to delete the Job 'assay-mmlu-3f9a0c11d2-1-merge'",
    )
    await untilShards(executor, submission, allEnded)
  })

  it("says what to do if the server is away for the time of a cancellation", async () => {
    await using test = await startTestCluster()
    const executor = createKubernetesExecutor(test.profile, test.ports)
    const submission = await executor.submit(workOf(test, ENDLESS), never)
    test.cluster.setAway(true)
    using _short = vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.timeout(50))
    await expect(executor.cancel(submission)).rejects.toMatchObject({
      code: "executor_failed",
      message: expect.stringMatching(/did not delete the Job 'assay-\S+-1' within 60 s: cancel again/) as string,
    })
  })

  it.each([
    ["postgres-migration", "is not the id of a Job of Assay"],
    ["assay-backup", "is not the id of a Job of Assay"],
    ["assay-mmlu-3f9a0c11d2-1-web", "is not the id of a Job of Assay"],
  ])("does not touch a Job of another program that the files of a run name: %s", async (name, message) => {
    await using test = await startTestCluster()
    const executor = createKubernetesExecutor(test.profile, test.ports)
    const submission = { ids: [`evaluations/${name}`], indexes: [0], merges: false }
    for (const call of [executor.cancel(submission), executor.look(submission, never)]) {
      await expect(call).rejects.toThrow(message)
    }
  })

  it("does not stop a Job of another namespace, or one whose label says that it is not of Assay", async () => {
    await using test = await startTestCluster()
    const executor = createKubernetesExecutor(test.profile, test.ports)
    const submission = await executor.submit(workOf(test, ENDLESS), never)
    const ids = submission.ids.map((id) => id.replace("evaluations", "other"))
    await expect(executor.cancel({ ...submission, ids })).rejects.toThrow("of the namespace 'other'")
    const labels = test.cluster.jobs()[0]?.metadata.labels as Record<string, string>
    labels["app.kubernetes.io/name"] = "postgres"
    await expect(executor.cancel(submission)).rejects.toThrow("is not one of Assay")
    expect(test.cluster.jobs()[0]?.metadata.deletionTimestamp).toBeUndefined()
    labels["app.kubernetes.io/name"] = "assay"
    await executor.cancel(submission)
  })
})
