import { describe, expect, it } from "vitest"
import type { KubernetesJob, KubernetesPod } from "./api/api-objects.ts"
import { INDEX_LABEL, shardStates, unfinishedIndexes } from "./shard-states.ts"

function jobOf(status: KubernetesJob["status"], more: Partial<KubernetesJob["metadata"]> = {}): KubernetesJob {
  return { metadata: { name: "job", ...more }, ...(status === undefined ? {} : { status }) }
}

function podOf(
  index: string,
  status: KubernetesPod["status"],
  more: Partial<KubernetesPod["metadata"]> = {},
): KubernetesPod {
  const metadata = { name: `job-${index}-a`, labels: { [INDEX_LABEL]: index }, ...more }
  return { metadata, ...(status === undefined ? {} : { status }) }
}

const failedBy = (reason: string) => ({ conditions: [{ type: "Failed", status: "True", reason }] })

describe("shardStates", () => {
  it("shows a shard by the pod that runs, although one that has failed is newer", () => {
    const pods = [
      podOf("0", { phase: "Running" }, { name: "runs", creationTimestamp: "2026-01-01T00:00:00Z" }),
      podOf("0", { phase: "Failed" }, { name: "failed", creationTimestamp: "2026-01-01T00:00:09Z" }),
    ]
    for (const order of [pods, pods.toReversed()]) {
      expect(shardStates(jobOf({}), order, [7])).toEqual([{ index: 7, location: "runs", state: "running" }])
    }
  })

  it("maps completion indexes to shards by their position", () => {
    const job = jobOf({ completedIndexes: "0,2", failedIndexes: "1" })
    expect(shardStates(job, [], [3, 7, 9, 12])).toEqual([
      { index: 3, state: "ended" },
      { index: 7, state: "ended", reason: "Failed" },
      { index: 9, state: "ended" },
      { index: 12, state: "waiting" },
    ])
  })

  it("shows all shards as ended if the Job is gone, is being deleted, or has failed", () => {
    expect(shardStates(undefined, [], [0, 1]).map(({ state }) => state)).toEqual(["ended", "ended"])
    expect(shardStates(jobOf({}, { deletionTimestamp: "2026-01-01T00:00:00Z" }), [], [0])).toEqual([
      { index: 0, state: "ended", reason: "JobDeleted" },
    ])
    expect(shardStates(jobOf({ ...failedBy("DeadlineExceeded"), failedIndexes: "1" }), [], [0, 1])).toEqual([
      { index: 0, state: "ended", reason: "DeadlineExceeded" },
      { index: 1, state: "ended", reason: "DeadlineExceeded" },
    ])
    expect(shardStates(jobOf({ ...failedBy("FailedIndexes"), failedIndexes: "0" }), [], [0])[0]?.reason).toBe("Failed")
  })

  it("shows a pod that still ends as running, so that no other process of its shard is started", () => {
    const job = jobOf({ conditions: [{ type: "FailureTarget", status: "True" }] })
    const deleted = podOf("0", { phase: "Running" }, { deletionTimestamp: "2026-01-01T00:00:00Z" })
    expect(shardStates(job, [deleted], [0])[0]).toMatchObject({ state: "running", reason: "Terminating" })
    expect(shardStates(job, [podOf("0", { phase: "Unknown" })], [0])[0]).toMatchObject({
      state: "running",
      reason: "NodeLost",
    })
  })

  it("shows why a pod waits or has failed", () => {
    const unscheduled = { type: "PodScheduled", status: "False", reason: "Unschedulable", message: "0/3 nodes" }
    const reasonOf = (status: KubernetesPod["status"]) => shardStates(jobOf({}), [podOf("0", status)], [0])[0]?.reason
    expect(reasonOf({ phase: "Pending", conditions: [unscheduled] })).toBe("Unschedulable")
    const killed = [{ name: "assay", state: { terminated: { reason: "OOMKilled" } } }]
    expect(reasonOf({ phase: "Failed", containerStatuses: killed })).toBe("OOMKilled")
    const evicted = { type: "DisruptionTarget", status: "True", reason: "PreemptionByScheduler" }
    expect(reasonOf({ phase: "Failed", containerStatuses: killed, conditions: [evicted] })).toBe(
      "PreemptionByScheduler",
    )
    expect(reasonOf({ phase: "Failed", reason: "\u001b[2JEvicted" })).toBe("⟨U+001B⟩[2JEvicted")
  })

  it("ignores pods without an index", () => {
    expect(shardStates(jobOf({}), [podOf("x", { phase: "Running" }), podOf("9", { phase: "Running" })], [0])).toEqual([
      { index: 0, state: "waiting" },
    ])
  })
})

describe("unfinishedIndexes", () => {
  it("returns the indexes that a Job still runs", () => {
    expect(unfinishedIndexes(jobOf({ completedIndexes: "0", failedIndexes: "2" }), 4)).toEqual([1, 3])
    expect(unfinishedIndexes(jobOf(failedBy("DeadlineExceeded")), 4)).toEqual([])
  })
})
