import { mkdtempDisposable, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import { type FakeKubernetes, startFakeKubernetes } from "@assay/testkit"
import { type Endpoint, startEndpoint } from "../cluster/start-endpoint.ts"
import type { Question } from "../history.ts"
import { assay, digestOf, type EnginesOptions, PROGRAM, writeJob } from "./run-engines.ts"

export interface KubernetesOptions extends Omit<EnginesOptions, "pairs"> {
  /** Seconds for which the API server refuses connections, in the middle of the kills. */
  readonly awaySeconds: number
}

export interface KubernetesResult {
  readonly faults: readonly string[]
  readonly kills: readonly Kill[]
  /** Rows that were asked more than once. */
  readonly askedAgain: number
  /** Rows of the killed pods that were in flight, or answered in the last second, summed over the kills. */
  readonly unsaved: number
  /** Jobs that were sent. The answer to the first one is lost. */
  readonly jobs: number
  readonly seconds: number
  readonly status: string
}

/** A pod that was killed. */
interface Kill {
  readonly shard: number
  readonly how: "crash" | "eviction"
  /** Milliseconds since 1970. */
  readonly at: number
  readonly isAway: boolean
  readonly unsaved: number
}

/** Milliseconds in which an answered row is kept. */
const KEPT_MS = 1000
const TOKEN = "token-of-the-run"

/** Runs a job in one process, and in pods that are killed while the API server is away, and compares the results. */
export async function runKubernetes(
  options: KubernetesOptions,
  log: (line: string) => void,
): Promise<KubernetesResult> {
  await using root = await mkdtempDisposable(join(tmpdir(), "assay-kubernetes-"))
  const endpoint = await startEndpoint(options)
  const env = { PATH: process.env["PATH"] ?? "", HOME: root.path }
  const claims = { runs: root.path }
  const cluster = await startFakeKubernetes({ token: TOKEN, images: ["assay"], claims, folder: root.path, env })
  try {
    await writeJob(root.path, endpoint.url, options)
    await writeCluster(root.path, cluster.url, options)
    const run = ["eval", "run", "eval.yaml", "--parallel", String(options.parallelism), "--skip-checks"]
    await assay(root.path, [...run, "--fresh", "--out", "alone"])
    const before = endpoint.history().questions.length
    cluster.faults.add({ when: ({ verb }) => verb === "create", times: 1, fault: { kind: "lose-answer" } })
    const start = performance.now()
    const settings = { ...env, KUBECONFIG: join(root.path, "kubeconfig") }
    const running = assay(root.path, [...run, "--profile", "cluster", "--retries", "100", "--out", "pods"], settings)
    const [kills] = await Promise.all([killPods({ cluster, endpoint, options, log }), running])
    const seconds = (performance.now() - start) / 1000
    const questions = endpoint.history().questions.slice(before)
    const askedAgain = questions.length - new Set(questions.map(({ row }) => row)).size
    const unsaved = kills.reduce((sum, kill) => sum + kill.unsaved, 0)
    const isEqual = (await digestOf(join(root.path, "alone"))) === (await digestOf(join(root.path, "pods")))
    const faults = [
      ...(isEqual ? [] : ["The results differ from those of one process."]),
      ...(askedAgain <= unsaved ? [] : [`${askedAgain} rows were asked again, but only ${unsaved} were not kept.`]),
      ...(kills.length === options.kills ? [] : [`The run ended after ${kills.length} kills.`]),
    ]
    const created = cluster.requests.filter(({ verb, resource }) => verb === "create" && resource === "jobs")
    return { faults, kills, askedAgain, unsaved, jobs: created.length, seconds, status: "COMPLETED" }
  } finally {
    await cluster.close()
    await endpoint.close()
  }
}

async function writeCluster(folder: string, server: string, { shards, atOnce }: KubernetesOptions): Promise<void> {
  const entries = {
    clusters: [{ name: "a", cluster: { server, "insecure-skip-tls-verify": true } }],
    users: [{ name: "a", user: { token: TOKEN } }],
    contexts: [{ name: "a", context: { cluster: "a", user: "a", namespace: "evaluations" } }],
  }
  await writeFile(join(folder, "kubeconfig"), JSON.stringify({ ...entries, "current-context": "a" }))
  const profile = {
    executor: "kubernetes",
    program: [process.execPath, PROGRAM],
    image: "assay",
    volumes: [{ claim: "runs", path: folder }],
    shards,
    at_once: atOnce,
    // The shards of pods that crash are submitted again.
    pod_retries: 0,
  }
  await writeFile(join(folder, "executors.yaml"), JSON.stringify({ profiles: { cluster: profile } }))
}

interface Killing {
  readonly cluster: FakeKubernetes
  readonly endpoint: Endpoint
  readonly options: KubernetesOptions
  readonly log: (line: string) => void
}

/** Kills pods that have begun to ask, one after the other. After a third of them, the API server goes away for its time. */
async function killPods({ cluster, endpoint, options, log }: Killing): Promise<readonly Kill[]> {
  const kills: Kill[] = []
  let back: Promise<void> | undefined
  let awayUntil = 0
  while (kills.length < options.kills) {
    await pause(400 + 150 * (kills.length % 5))
    if (back === undefined && kills.length * 3 >= options.kills) {
      log(`the API server is away for ${options.awaySeconds} s`)
      awayUntil = Date.now() + options.awaySeconds * 1000
      back = beAway(cluster, options.awaySeconds)
    }
    const pods = cluster.pods().filter(({ status }) => status.phase === "Running")
    if (kills.length > 0 && pods.length === 0 && cluster.jobs().every(({ status }) => status.active === 0)) break
    const found = pods.map((pod) => ({ name: pod.metadata.name, shard: shardOf(cluster, pod) }))
    const asking = found.filter(({ shard }) => unsavedRows(endpoint, shard, options) > 0)
    const pod = asking[kills.length % Math.max(1, asking.length)]
    if (pod === undefined) continue
    const how = kills.length % 2 === 0 ? "crash" : "eviction"
    cluster.kill(pod.name, how)
    const unsaved = unsavedRows(endpoint, pod.shard, options)
    kills.push({ shard: pod.shard, how, at: Date.now(), isAway: Date.now() < awayUntil, unsaved })
    log(`${how} of shard ${pod.shard} with ${unsaved} rows that were not kept`)
  }
  await back
  return kills
}

async function beAway(cluster: FakeKubernetes, seconds: number): Promise<void> {
  cluster.setAway(true)
  await pause(seconds * 1000)
  cluster.setAway(false)
}

/** Returns the rows of a shard that are in flight, or were answered in the last second. */
function unsavedRows(endpoint: Endpoint, shard: number, { rows, shards }: KubernetesOptions): number {
  const since = Date.now() - KEPT_MS
  const isUnsaved = ({ row, answeredAt = Infinity }: Question) =>
    Math.floor((row * shards) / rows) === shard && answeredAt > since
  return new Set(
    endpoint
      .history()
      .questions.filter(isUnsaved)
      .map(({ row }) => row),
  ).size
}

/** Returns the shard of a pod: the entry of the list of its Job that its completion index picks. */
function shardOf(cluster: FakeKubernetes, { metadata }: ReturnType<FakeKubernetes["pods"]>[number]): number {
  const job = cluster.jobs().find(({ metadata: { name } }) => name === metadata.labels["batch.kubernetes.io/job-name"])
  const shards = (job?.metadata.annotations["assay/indexes"] ?? "").split(",").flatMap((part) => {
    const [first = 0, last = first] = part.split("-").map(Number)
    return Array.from({ length: last - first + 1 }, (_, at) => first + at)
  })
  return shards[Number(metadata.labels["batch.kubernetes.io/job-completion-index"])] ?? -1
}
