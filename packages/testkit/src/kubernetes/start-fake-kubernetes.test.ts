import { mkdtempDisposableSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { formatRanges } from "./kubernetes-objects.ts"
import { expand } from "./pod-environment.ts"
import { labelSelector } from "./selectors.ts"
import { type FakeKubernetes, startFakeKubernetes } from "./start-fake-kubernetes.ts"

let cluster: FakeKubernetes
let folder: ReturnType<typeof mkdtempDisposableSync>
beforeEach(async () => {
  folder = mkdtempDisposableSync(join(tmpdir(), "assay-fake-cluster-"))
  cluster = await startFakeKubernetes({ token: "secret", images: ["node"], folder: folder.path, env: {}, backoffMs: 1 })
})
afterEach(async () => {
  await cluster.close()
  folder.remove()
})

const JOBS = "/apis/batch/v1/namespaces/evaluations/jobs"
const PODS = "/api/v1/namespaces/evaluations/pods"

async function call(method: string, path: string, body?: object, token = "secret") {
  const response = await fetch(`${cluster.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    text,
    body: (text.startsWith("{") ? JSON.parse(text) : {}) as Record<string, unknown>,
  }
}

/** Returns a Job whose pods run a script. */
function jobOf(script: string, spec: object = {}, name = "job"): object {
  const containers = [{ name: "assay", image: "node", command: [process.execPath, "-e", script] }]
  const template = { metadata: { labels: { app: "a" } }, spec: { restartPolicy: "Never", containers } }
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name },
    spec: { completionMode: "Indexed", completions: 3, parallelism: 3, template, ...spec },
  }
}

async function untilFinished(name = "job") {
  for (;;) {
    const job = cluster.jobs().find(({ metadata }) => metadata.name === name)
    if (job === undefined) throw new Error(`The Job ${name} is gone.`)
    if (job.status.conditions.some(({ type }) => type === "Complete" || type === "Failed")) return job
    await pause(5)
  }
}

describe("startFakeKubernetes", () => {
  it("answers what a real API server answers to requests that it refuses", async () => {
    const unauthorized = await call("GET", JOBS, undefined, "wrong")
    expect(unauthorized).toMatchObject({
      status: 401,
      body: { kind: "Status", status: "Failure", reason: "Unauthorized", code: 401 },
    })
    cluster.forbid("list", "pods")
    expect((await call("GET", PODS)).body).toMatchObject({
      code: 403,
      reason: "Forbidden",
      message:
        'pods is forbidden: User "system:serviceaccount:evaluations:tester" cannot list resource "pods" in API group "" in the namespace "evaluations"',
    })
    expect((await call("GET", `${JOBS}/a`)).body).toMatchObject({
      code: 404,
      message: 'jobs.batch "a" not found',
      details: { name: "a", group: "batch", kind: "jobs" },
    })
    expect((await call("POST", JOBS.replace("evaluations", "other"), jobOf(""))).body).toMatchObject({
      code: 404,
      message: 'namespaces "other" not found',
      details: { kind: "namespaces" },
    })
    expect((await call("POST", JOBS, { kind: "Pod" })).status).toBe(400)
    await call("POST", JOBS, jobOf(""))
    expect((await call("POST", JOBS, jobOf(""))).body).toMatchObject({ code: 409, reason: "AlreadyExists" })
    expect((await call("POST", JOBS, jobOf("", { parallelism: -1, template: {} }, "A"))).body).toMatchObject({
      code: 422,
      reason: "Invalid",
      details: {
        causes: [
          { field: "metadata.name" },
          { field: "spec.parallelism" },
          { field: "metadata.name" },
          { field: "spec.template.spec" },
        ],
      },
    })
    expect((await call("GET", "/apis/apps/v1/namespaces/evaluations/deployments")).status).toBe(404)
  })

  it("runs at most as many pods as the parallelism, each index once", async () => {
    const onPodConditions = [{ type: "DisruptionTarget", status: "True" }]
    const podFailurePolicy = { rules: [{ action: "Ignore", onPodConditions }] }
    await call("POST", JOBS, jobOf("setTimeout(() => {}, 1e6)", { completions: 5, parallelism: 2, podFailurePolicy }))
    while (cluster.pods().filter(({ status }) => status.phase === "Running").length < 2) await pause(5)
    const [first] = cluster.pods()
    expect(cluster.pods().map(({ metadata }) => metadata.labels["batch.kubernetes.io/job-completion-index"])).toEqual([
      "0",
      "1",
    ])
    cluster.kill(first?.metadata.name ?? "", "eviction")
    while (cluster.pods().length < 3) await pause(5)
    expect(cluster.pods()[2]?.metadata.name).toMatch(/^job-0-\w{5}$/)
    expect(cluster.pods()[2]?.metadata.name).not.toBe(first?.metadata.name)
  })

  it("fails an index at once, or the Job, if a rule of the policy says so", async () => {
    const script = "process.exit(process.env.JOB_COMPLETION_INDEX === '1' ? 42 : 0)"
    const rule = (action: string) => ({ rules: [{ action, onExitCodes: { operator: "In", values: [42] } }] })
    const spec = { backoffLimitPerIndex: 5, podFailurePolicy: rule("FailIndex") }
    await call("POST", JOBS, jobOf(script, spec))
    expect((await untilFinished()).status).toMatchObject({ completedIndexes: "0,2", failedIndexes: "1", failed: 1 })
    await call("POST", JOBS, jobOf(script, { ...spec, podFailurePolicy: rule("FailJob"), parallelism: 1 }, "other"))
    const { status } = await untilFinished("other")
    expect(status.conditions.map(({ type, reason }) => [type, reason])).toEqual([
      ["FailureTarget", "PodFailurePolicy"],
      ["Failed", "PodFailurePolicy"],
    ])
    expect(status.completedIndexes).toBe("0")
  })

  it("removes a finished Job with its pods after its time to live", async () => {
    await call("POST", JOBS, jobOf("", { ttlSecondsAfterFinished: 0 }))
    while (cluster.jobs().length + cluster.pods().length > 0) await pause(5)
  })

  it("deletes the pods of a Job before it, after it, or not at all, as the policy says", async () => {
    const counts = async (policy: string) => {
      await call("POST", JOBS, jobOf("setTimeout(() => {}, 1e6)", {}, policy.toLowerCase()))
      while (cluster.pods().filter(({ status }) => status.phase === "Running").length < 3) await pause(5)
      await call("DELETE", `${JOBS}/${policy.toLowerCase()}`, { propagationPolicy: policy })
      return [cluster.jobs().length, cluster.pods().length]
    }
    expect(await counts("Foreground")).toEqual([1, 3])
    while (cluster.jobs().length + cluster.pods().length > 0) await pause(5)
    expect(await counts("Background")).toEqual([0, 3])
    while (cluster.pods().length > 0) await pause(5)
    expect(await counts("Orphan")).toEqual([0, 3])
    await pause(20)
    expect(cluster.pods().length).toBe(3)
  })

  it("returns the end of a log, and says why a container has none", async () => {
    await call("POST", JOBS, jobOf("console.log('a\\nb\\nc')", { completions: 1 }))
    const { name } = (await untilFinished().then(() => cluster.pods()[0]))?.metadata ?? { name: "" }
    expect((await call("GET", `${PODS}/${name}/log?container=assay&tailLines=2`)).text).toBe("b\nc\n")
    expect((await call("GET", `${PODS}/${name}/log?limitBytes=3`)).text).toBe("a\nb")
    expect((await call("GET", `${PODS}/${name}/log?container=b`)).body).toMatchObject({
      code: 400,
      message: `container b is not valid for pod ${name}`,
    })
    const containers = [{ name: "assay", image: "gone" }]
    await call(
      "POST",
      JOBS,
      jobOf("", { completions: 1, template: { spec: { restartPolicy: "Never", containers } } }, "waits"),
    )
    while (cluster.pods().length < 2) await pause(5)
    const waits = cluster.pods()[1]?.metadata.name
    expect((await call("GET", `${PODS}/${waits}/log`)).body).toMatchObject({
      code: 400,
      message: `container "assay" in pod "${waits}" is waiting to start: trying and failing to pull image`,
    })
  })

  it("closes connections while it is away, and goes on with its pods", async () => {
    await call("POST", JOBS, jobOf(""))
    cluster.setAway(true)
    await expect(call("GET", JOBS)).rejects.toThrow()
    await untilFinished()
    cluster.setAway(false)
    expect((await call("GET", `${JOBS}/job`)).body).toMatchObject({ status: { completedIndexes: "0-2", succeeded: 3 } })
  })
})

describe("the details of Kubernetes", () => {
  it("writes indexes as ranges, and two in a row with a comma", () => {
    expect([formatRanges([]), formatRanges([3]), formatRanges([4, 3]), formatRanges([0, 1, 2, 5, 7, 8, 9])]).toEqual([
      "",
      "3",
      "3,4",
      "0-2,5,7-9",
    ])
  })

  it("replaces references to variables, and nothing else", () => {
    expect(expand("$(A) $A $$(A) $(B) $$$(A) $", { A: "x" })).toBe("x $A $(A) $(B) $x $")
  })

  it("selects by labels", () => {
    const labels = { a: "1", b: "2" }
    const isSelected = (text: string) => labelSelector(text)(labels)
    expect(["", "a=1", "a==1,b!=1", "a in (1,2),b", "!c", "c!=1", "a notin (2)"].map(isSelected)).not.toContain(false)
    expect(["a=2", "!a", "c", "a in (2,3)", "a notin (1)", "a=1,b=1"].map(isSelected)).not.toContain(true)
    expect(() => labelSelector("a=b=c")).toThrow("unable to parse requirement")
  })
})
