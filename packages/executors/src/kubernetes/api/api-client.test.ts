import { setTimeout as pause } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import type { KubernetesFault } from "@assay/testkit"
import { startTestCluster } from "../../testing/start-test-cluster.ts"
import { shardsJob } from "../job-manifests.ts"
import type { KubernetesProfile } from "../kubernetes-profile.ts"
import { createApiClient } from "./api-client.ts"
import { openCluster } from "./open-cluster.ts"
import type { ExecutorPorts } from "../../executor.ts"

const never = new AbortController().signal

async function openApi(ports: ExecutorPorts, namespace = "evaluations", context = "test") {
  return createApiClient(await openCluster(ports, { context }), namespace, { sleep: () => Promise.resolve() })
}

function jobOf(profile: Partial<KubernetesProfile> = {}) {
  const work = {
    run: "s3://b/r",
    id: "eval-1",
    name: "a",
    count: 1,
    indexes: [0],
    atOnce: 1,
    program: ["echo", "a line"],
    options: [],
    merges: false,
    retries: 0,
  }
  return shardsJob({ image: "assay:test", ...profile }, work, { number: 1 })
}

async function messageOf(request: Promise<unknown>): Promise<string> {
  return request.then(
    () => "",
    (error: unknown) => (error as Error).message,
  )
}

describe("createApiClient", () => {
  it("says that the credentials are not accepted, and does not show them", async () => {
    await using test = await startTestCluster({ token: "another-token" })
    const message = await messageOf((await openApi(test.ports)).getJob("a", never))
    expect(message).toMatch(
      /^The API server 127\.0\.0\.1:\d+ does not accept the credentials of the kubeconfig \(401\) to read the Job 'a'/,
    )
    expect(message).not.toContain(test.token)
  })

  it("says which verb on which resource is missing", async () => {
    await using test = await startTestCluster()
    const api = await openApi(test.ports)
    test.cluster.forbid("create", "jobs")
    test.cluster.forbid("get", "pods/log")
    expect(await messageOf(api.createJob(jobOf(), never))).toContain(
      "allow the verb 'create' on the resource 'jobs' of the API group 'batch' in the namespace 'evaluations' with a Role.",
    )
    expect(await messageOf(api.readLog("a", { container: "assay", lines: 1, bytes: 1 }, never))).toContain(
      "allow the verb 'get' on the resource 'pods/log' of the API group ''",
    )
  })

  it("says that the namespace does not exist", async () => {
    await using test = await startTestCluster()
    const message = await messageOf((await openApi(test.ports, "gone")).createJob(jobOf(), never))
    expect(message).toBe(
      "The cluster has no namespace 'gone' (404): create it, or name another one with `namespace` of the profile.",
    )
  })

  it("says that a Job exists already", async () => {
    await using test = await startTestCluster({ images: [] })
    const api = await openApi(test.ports)
    await api.createJob(jobOf(), never)
    expect(await messageOf(api.createJob(jobOf(), never))).toContain("because it exists already (409)")
  })

  it("names the fields that validation refuses", async () => {
    await using test = await startTestCluster()
    const profile = { labels: { team: "a b" }, resources: { requests: { memory: "much" } } }
    const message = await messageOf((await openApi(test.ports)).createJob(jobOf(profile), never))
    expect(message).toContain('(422): metadata.labels: Invalid value: "a b": a valid label')
    expect(message).toContain('spec.template.spec.containers[0].resources.requests[memory]: Invalid value: "much"')
    expect(message).toMatch(/Correct the profile\.$/)
  })

  it("repeats a request that changes nothing while the server is busy, unavailable or away", async () => {
    await using test = await startTestCluster()
    const api = await openApi(test.ports)
    const faults: readonly KubernetesFault[] = [
      { kind: "status", status: "busy" },
      { kind: "status", status: "unavailable" },
      { kind: "hang-up" },
      { kind: "page", code: 502 },
    ]
    for (const fault of faults) {
      test.cluster.faults.add({ times: 3, fault })
      expect(await api.listJobs("a=b", never)).toEqual([])
    }
    expect(test.cluster.requests.length).toBe(16)
  })

  it("sends a Job again after the time that a busy server asks for, and says that a later attempt can succeed", async () => {
    await using test = await startTestCluster()
    const waits: number[] = []
    const sleep: ExecutorPorts["sleep"] = async (milliseconds) => void waits.push(milliseconds)
    const api = createApiClient(await openCluster(test.ports, { context: "test" }), "evaluations", { sleep })
    test.cluster.faults.add({ times: 2, fault: { kind: "status", status: "busy" } })
    await api.createJob(jobOf(), never)
    expect(waits).toEqual([1500, 1500])
    test.cluster.faults.add({ fault: { kind: "status", status: "busy" } })
    expect(await messageOf(api.createJob(jobOf(), never))).toContain(
      "has too many requests to create the Job 'assay-a-",
    )
    test.cluster.setAway(true)
    expect(await messageOf(api.createJob(jobOf(), never))).toMatch(/can't be reached to create .* try again later\.$/)
  })

  it("reads an answer again that breaks off", async () => {
    await using test = await startTestCluster()
    const api = await openApi(test.ports)
    await api.createJob(jobOf(), never)
    while (test.cluster.pods()[0]?.status.phase !== "Succeeded") await pause(5)
    test.cluster.faults.add({ times: 2, fault: { kind: "cut" } })
    expect((await api.getJob(jobOf().metadata.name, never))?.metadata.name).toBe(jobOf().metadata.name)
    test.cluster.faults.add({ fault: { kind: "cut" } })
    const pod = test.cluster.pods()[0]?.metadata.name ?? ""
    await expect(api.readLog(pod, { container: "assay", lines: 1, bytes: 1 }, never)).rejects.toMatchObject({
      code: "executor_failed",
    })
  })

  it("uses connections again", async () => {
    await using test = await startTestCluster()
    const api = await openApi(test.ports)
    for (let at = 0; at < 10; at++) await api.listJobs("a=b", never)
    expect(test.cluster.connections()).toBeLessThanOrEqual(2)
  })

  it("stops waiting when it is aborted", async () => {
    await using test = await startTestCluster()
    test.cluster.setAway(true)
    const controller = new AbortController()
    const sleep = (_: number, signal?: AbortSignal): Promise<void> => {
      controller.abort(new Error("stopped"))
      signal?.throwIfAborted()
      return Promise.resolve()
    }
    const api = createApiClient(await openCluster(test.ports, { context: "test" }), "evaluations", { sleep })
    await expect(api.listJobs("a=b", controller.signal)).rejects.toThrow("stopped")
  })

  it("says that a server is not one of Kubernetes", async () => {
    await using test = await startTestCluster()
    test.cluster.faults.add({ fault: { kind: "page", code: 200 } })
    expect(await messageOf((await openApi(test.ports)).getJob("a", never))).toContain(
      "did not answer as an API server of Kubernetes does",
    )
  })
})
