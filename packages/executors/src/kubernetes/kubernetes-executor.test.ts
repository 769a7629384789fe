import { rename } from "node:fs/promises"
import { setTimeout as pause } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { allAre, ENDLESS, untilShards, workOf } from "../testing/cluster-work.ts"
import { startTestCluster } from "../testing/start-test-cluster.ts"
import type { Executor, ShardProcess, Submission } from "../executor.ts"
import { openCluster } from "./api/open-cluster.ts"
import { createKubernetesExecutor } from "./kubernetes-executor.ts"

const never = new AbortController().signal

const allEnded = allAre("ended")
const QUICK = "console.log(process.env.JOB_COMPLETION_INDEX, process.argv.slice(1).join(' '))"

async function logOf(executor: Executor, submission: Submission, index: number): Promise<string> {
  return (await Array.fromAsync(executor.logs(submission, index, never))).join("")
}

describe("createKubernetesExecutor", () => {
  it("runs each shard in a pod of an Indexed Job, and reads its log", async () => {
    await using test = await startTestCluster()
    const executor = createKubernetesExecutor(test.profile, test.ports)
    const submission = await executor.submit(workOf(test, QUICK), never)
    expect(submission).toEqual({
      ids: ["evaluations/assay-mmlu-3f9a0c11d2-1"],
      indexes: [0, 1, 2, 3],
      merges: false,
    })
    await untilShards(executor, submission, allEnded)
    expect(test.cluster.jobs()[0]?.status).toMatchObject({ completedIndexes: "0-3", failed: 0 })
    expect(await logOf(executor, submission, 2)).toMatch(
      /^--- pod assay-mmlu-3f9a0c11d2-1-2-\w{5}: Succeeded\n2 eval shard \/\S+\/run\n$/,
    )
  })

  it("gives the missing shards of a run as a list, from which the completion index picks one", async () => {
    await using test = await startTestCluster()
    const executor = createKubernetesExecutor(test.profile, test.ports)
    const submission = await executor.submit(workOf(test, QUICK, { indexes: [3, 4, 5, 9], count: 12 }), never)
    await untilShards(executor, submission, allEnded)
    expect(await logOf(executor, submission, 9)).toContain(`3 eval shard ${test.folder}/run --indexes 3-5,9\n`)
    expect(await logOf(executor, submission, 0)).toBe("")
  })

  it("passes words to the program as they are, also those that shells and Kubernetes would replace", async () => {
    await using test = await startTestCluster()
    const executor = createKubernetesExecutor(
      { ...test.profile, environment: { SEEN: "$(JOB_COMPLETION_INDEX) $$x" } },
      test.ports,
    )
    const hostile = ["--key-host", "a b'c$(x)", "$(SEEN)", "$$(SEEN)", "`id`", '"', "ü\n"]
    const script = "console.log(JSON.stringify([process.env.SEEN, ...process.argv.slice(4)]))"
    const submission = await executor.submit(workOf(test, script, { options: hostile }), never)
    await untilShards(executor, submission, allEnded)
    const [, line = ""] = (await logOf(executor, submission, 0)).split("\n")
    expect(JSON.parse(line)).toEqual(["$(JOB_COMPLETION_INDEX) $$x", ...hostile])
  })

  it("gives secrets to the pods by reference, and never sends their values", async () => {
    await using test = await startTestCluster({
      secrets: { models: { key: "value-of-the-key" }, store: { AWS_SECRET_ACCESS_KEY: "value-of-the-store" } },
    })
    const profile = {
      ...test.profile,
      secret_environment: { MODEL_KEY: { secret: "models", key: "key" } },
      environment_from: [{ secret: "store" }],
    }
    const executor = createKubernetesExecutor(profile, test.ports)
    const script = "console.log(process.env.MODEL_KEY, process.env.AWS_SECRET_ACCESS_KEY)"
    const submission = await executor.submit(workOf(test, script), never)
    await untilShards(executor, submission, allEnded)
    expect(await logOf(executor, submission, 1)).toContain("value-of-the-key value-of-the-store")
    expect(JSON.stringify(test.cluster.requests)).not.toContain("value-of")
  })

  it("starts a failed shard again as often as the profile says, and shows its last reason", async () => {
    await using test = await startTestCluster()
    const executor = createKubernetesExecutor({ ...test.profile, pod_retries: 2 }, test.ports)
    const script = "if (process.env.JOB_COMPLETION_INDEX === '1') { console.log('bad'); process.exit(1) }"
    const submission = await executor.submit(workOf(test, script), never)
    const all = await untilShards(executor, submission, allEnded)
    expect(all[1]).toMatchObject({ index: 1, state: "ended", reason: "Error" })
    expect(all[1]?.location).toMatch(/^assay-mmlu-3f9a0c11d2-1-1-\w{5} on node-1$/)
    expect(await logOf(executor, submission, 1)).toMatch(/^(?:--- pod \S+: Error\nbad\n){3}$/)
    expect(test.cluster.jobs()[0]?.status).toMatchObject({ completedIndexes: "0,2,3", failedIndexes: "1" })
  })

  it("reads the logs of the pods of a shard in the order in which they were started", async () => {
    // Times of the API have whole seconds.
    await using test = await startTestCluster({ backoffMs: 1100 })
    const executor = createKubernetesExecutor({ ...test.profile, pod_retries: 1 }, test.ports)
    const script = `
      const { existsSync, writeFileSync } = require("node:fs")
      const file = process.env.JOB_COMPLETION_INDEX
      console.log(existsSync(file) ? "second" : "first")
      writeFileSync(file, "")
      process.exit(1)`
    const submission = await executor.submit(workOf(test, script), never)
    await untilShards(executor, submission, allEnded)
    for (const index of [0, 1, 2, 3]) {
      expect(await logOf(executor, submission, index)).toMatch(/^--- pod .*\nfirst\n--- pod .*\nsecond\n$/)
    }
  })

  it("reads the logs of the other pods of a shard if the node of one does not respond", async () => {
    await using test = await startTestCluster()
    const executor = createKubernetesExecutor(
      { ...test.profile, pod_retries: 1 },
      { ...test.ports, sleep: () => Promise.resolve() },
    )
    const submission = await executor.submit(workOf(test, "console.log('bad'); process.exit(1)"), never)
    await untilShards(executor, submission, allEnded)
    const lost = test.cluster.pods().find(({ metadata }) => metadata.name.includes("-1-2-"))
    test.cluster.faults.add({
      when: ({ resource, name }) => resource === "pods/log" && name === lost?.metadata.name,
      fault: { kind: "status", status: "unavailable" },
    })
    const log = await logOf(executor, submission, 2)
    expect(log).toMatch(/--- pod .*\nThe API server \S+ failed to read the log of the pod .*\n/)
    expect(log).toMatch(/--- pod .*\nbad\n/)
  })

  it("does not count a pod that was evicted as a failure, and starts another one for its shard", async () => {
    await using test = await startTestCluster()
    const executor = createKubernetesExecutor({ ...test.profile, pod_retries: 0 }, test.ports)
    const submission = await executor.submit(workOf(test, ENDLESS), never)
    await untilShards(executor, submission, allAre("running"))
    const [first] = test.cluster.pods().map(({ metadata }) => metadata.name)
    test.cluster.kill(first ?? "", "eviction")
    const all = await untilShards(executor, submission, ([shard]) => shard?.location?.startsWith(`${first} `) === false)
    expect(all[0]?.index).toBe(0)
    expect(test.cluster.jobs()[0]?.status.failed).toBe(0)
  })

  it("shows shards as running whose pods still end after somebody has deleted their Job", async () => {
    await using test = await startTestCluster()
    const executor = createKubernetesExecutor(test.profile, test.ports)
    const script = "process.on('SIGTERM', () => setTimeout(() => process.exit(130), 300)); setTimeout(() => {}, 1e6)"
    const submission = await executor.submit(workOf(test, script), never)
    await untilShards(executor, submission, allAre("running"))
    // A process of Node needs a moment until it handles signals.
    await pause(300)
    const cluster = await openCluster(test.ports, { context: "test" })
    const path = "/apis/batch/v1/namespaces/evaluations/jobs/assay-mmlu-3f9a0c11d2-1"
    await cluster.send({ method: "DELETE", path, body: { propagationPolicy: "Background" } }, never)
    expect((await executor.look(submission, never))[0]).toMatchObject({ state: "running", reason: "Terminating" })
    expect((await untilShards(executor, submission, allEnded))[0]?.reason).toBe("JobDeleted")
  })

  it("creates the merge as a Job beside the shards, which waits for them", async () => {
    await using test = await startTestCluster()
    const executor = createKubernetesExecutor({ ...test.profile, merge_wait_minutes: 7 }, test.ports)
    const submission = await executor.submit(workOf(test, QUICK, { merges: true }), never)
    expect(submission.ids[1]).toBe("evaluations/assay-mmlu-3f9a0c11d2-1-merge")
    const merge = test.cluster.jobs().find(({ metadata }) => metadata.name.endsWith("-merge"))
    expect(merge?.spec.template.spec.containers[0]?.command?.slice(4)).toEqual([
      "eval",
      "merge",
      `${test.folder}/run`,
      "--wait",
      "7",
    ])
    await untilShards(executor, submission, allEnded)
  })

  it("says why a pod does not start, in its state and in its log", async () => {
    await using test = await startTestCluster()
    const executor = createKubernetesExecutor({ ...test.profile, image: "assay:missing" }, test.ports)
    const submission = await executor.submit(workOf(test, QUICK), never)
    const [shard] = await untilShards(executor, submission, (all) => all[0]?.reason !== undefined)
    expect(shard).toMatchObject({ state: "waiting", reason: "ImagePullBackOff" })
    expect(await logOf(executor, submission, 0)).toContain(
      'It does not start: ImagePullBackOff: Back-off pulling image "assay:missing"',
    )
  })

  it("says which secret is missing if a pod refers to one that does not exist", async () => {
    await using test = await startTestCluster()
    const executor = createKubernetesExecutor({ ...test.profile, environment_from: [{ secret: "gone" }] }, test.ports)
    const submission = await executor.submit(workOf(test, QUICK), never)
    await untilShards(executor, submission, (all) => all[0]?.reason === "CreateContainerConfigError")
    expect(await logOf(executor, submission, 0)).toContain('CreateContainerConfigError: secret "gone" not found')
  })

  it("leaves the start to Kueue if the profile names a queue", async () => {
    await using test = await startTestCluster()
    const executor = createKubernetesExecutor({ ...test.profile, queue: "team" }, test.ports)
    const submission = await executor.submit(workOf(test, QUICK), never)
    const [shard] = await executor.look(submission, never)
    expect(shard).toEqual({ index: 0, state: "waiting", reason: "QueuedByKueue" })
    expect(test.cluster.jobs()[0]?.metadata.labels["kueue.x-k8s.io/queue-name"]).toBe("team")
    expect(test.cluster.pods()).toEqual([])
    test.cluster.setSuspended("assay-mmlu-3f9a0c11d2-1", false)
    await untilShards(executor, submission, allEnded)
  })

  it("does not count pods that Kueue stops for a Job of a higher priority as failures", async () => {
    await using test = await startTestCluster()
    const executor = createKubernetesExecutor({ ...test.profile, queue: "team", pod_retries: 0 }, test.ports)
    const submission = await executor.submit(workOf(test, ENDLESS), never)
    const [job] = test.cluster.jobs()
    test.cluster.setSuspended(job?.metadata.name ?? "", false)
    await untilShards(executor, submission, allAre("running"))
    test.cluster.setSuspended(job?.metadata.name ?? "", true)
    // A pod has ended a moment before its Job no longer counts it.
    const isQueued = ({ reason }: ShardProcess) => reason === "QueuedByKueue"
    const all = await untilShards(executor, submission, (some) => some.every(isQueued))
    expect(all[0]).toEqual({ index: 0, state: "waiting", reason: "QueuedByKueue" })
    expect(job?.status.failed).toBe(0)
    test.cluster.setSuspended(job?.metadata.name ?? "", false)
    await untilShards(executor, submission, allAre("running"))
  })

  it("stops all shards if more have failed than the profile allows", async () => {
    await using test = await startTestCluster()
    const executor = createKubernetesExecutor({ ...test.profile, pod_retries: 0, max_failed_shards: 0 }, test.ports)
    const script = "if (process.env.JOB_COMPLETION_INDEX === '1') process.exit(1); setTimeout(() => {}, 1e6)"
    const submission = await executor.submit(workOf(test, script), never)
    const all = await untilShards(executor, submission, allEnded)
    expect(all[0]?.reason).toBe("MaxFailedIndexesExceeded")
  })

  it("reads the pods of many shards page by page", async () => {
    await using test = await startTestCluster({ images: [] })
    const executor = createKubernetesExecutor(test.profile, test.ports)
    const indexes = Array.from({ length: 600 }, (_, index) => index)
    const submission = await executor.submit(workOf(test, QUICK, { indexes, count: 600, atOnce: 600 }), never)
    const all = await untilShards(executor, submission, (some) =>
      some.every(({ reason }) => reason === "ImagePullBackOff"),
    )
    expect(all.map(({ index }) => index)).toEqual(indexes)
  })

  it("reads at most the last MiB of a long log", async () => {
    await using test = await startTestCluster()
    const executor = createKubernetesExecutor(test.profile, test.ports)
    const script = "for (let n = 0; n < 3000; n++) console.log(n, 'x'.repeat(1000))"
    const submission = await executor.submit(workOf(test, script, { indexes: [0] }), never)
    await untilShards(executor, submission, allEnded)
    const text = await logOf(executor, submission, 0)
    expect(text.length).toBeLessThan(1.1 * 1024 * 1024)
    expect(text).toMatch(/\n2999 x+\n$/)
  })

  it("reads a kubeconfig again that was missing", async () => {
    await using test = await startTestCluster()
    await rename(test.kubeconfig, `${test.kubeconfig}-later`)
    const executor = createKubernetesExecutor(test.profile, test.ports)
    const submission = {
      executor: "kubernetes",
      ids: ["evaluations/assay-a-3f9a0c11d2-1"],
      indexes: [0],
      merges: false,
    }
    await expect(executor.look(submission, never)).rejects.toThrow("There is no kubeconfig")
    await rename(`${test.kubeconfig}-later`, test.kubeconfig)
    expect(await executor.look(submission, never)).toEqual([{ index: 0, state: "ended", reason: "JobDeleted" }])
  })

  it("refuses the id of a submission that is not the name of a Job", async () => {
    await using test = await startTestCluster()
    const executor = createKubernetesExecutor(test.profile, test.ports)
    const submission = { executor: "kubernetes", ids: ["evaluations/../../secrets/x"], indexes: [0], merges: false }
    await expect(executor.look(submission, never)).rejects.toThrow("is not the id of a Job")
    await expect(executor.cancel(submission)).rejects.toThrow("is not the id of a Job")
    expect(test.cluster.requests).toEqual([])
  })
})
