import { type ChildProcess, spawn } from "node:child_process"
import { type ApiCondition, type ApiPod, timestamp } from "./kubernetes-objects.ts"
import type { ObjectStore } from "./object-store.ts"
import { type ClusterValues, expand, podEnvironment } from "./pod-environment.ts"

export interface KubeletOptions extends ClusterValues {
  /** Images that the nodes can pull. Others end in `ImagePullBackOff`. */
  readonly images: ReadonlySet<string>
  /** Claims by their names, with the folder of this machine. A process sees it under its own path, so it must be mounted there. */
  readonly claims: Readonly<Record<string, string>>
  /** Working folder of all processes. */
  readonly folder: string
  /** Variables that all processes have, such as `PATH`. */
  readonly env: Readonly<Record<string, string>>
  /** The state of a pod has changed. */
  readonly onChange: () => void
}

/** Runs pods as processes of this machine. */
export interface Kubelet {
  start(pod: ApiPod): void
  /** Ends a pod with SIGTERM, and with SIGKILL after its grace. `graceMs` 0: at once. */
  stop(pod: ApiPod, graceMs: number): void
  log(pod: ApiPod): string | undefined
  isRunning(pod: ApiPod): boolean
  /** Kills all processes, and waits for their ends. */
  close(): Promise<void>
}

/** Characters of the log of a pod that are kept. */
const MAX_LOG = 4 * 1024 * 1024
const SIGNALS: Readonly<Record<string, number>> = { SIGTERM: 15, SIGKILL: 9, SIGINT: 2, SIGSEGV: 11, SIGABRT: 6 }

export function createKubelet(store: ObjectStore, options: KubeletOptions): Kubelet {
  const { images, claims, folder, env: nodeEnv, onChange } = options
  const running = new Map<string, ChildProcess>()
  const logs = new Map<string, string>()
  const ends = new Set<Promise<void>>()

  const wait = (pod: ApiPod, reason: string, message: string): void => {
    setContainer(pod, { waiting: { reason, message } })
    store.touch(pod)
    onChange()
  }
  const start = (pod: ApiPod): void => {
    const [container] = pod.spec.containers
    if (container === undefined) return
    if (!images.has(container.image)) {
      wait(pod, "ImagePullBackOff", `Back-off pulling image "${container.image}": ErrImagePull: not found`)
      return
    }
    const lost = missingMount(pod, claims)
    if (lost !== undefined) return wait(pod, "ContainerCreating", lost)
    let env: Readonly<Record<string, string>>
    try {
      env = podEnvironment(pod, container, options)
    } catch (error) {
      return wait(pod, "CreateContainerConfigError", (error as Error).message)
    }
    const words = [...(container.command ?? []), ...(container.args ?? [])].map((word) => expand(word, env))
    const [program = "", ...args] = words
    logs.set(pod.metadata.uid, "")
    // In a group of its own: a pod that is killed takes its children with it.
    const child = spawn(program, args, { cwd: folder, env: { ...nodeEnv, ...env }, detached: true })
    running.set(pod.metadata.uid, child)
    const keep = (text: string) => {
      const before = logs.get(pod.metadata.uid) ?? ""
      if (before.length < MAX_LOG) logs.set(pod.metadata.uid, before + text)
    }
    child.stdout.setEncoding("utf8").on("data", keep)
    child.stderr.setEncoding("utf8").on("data", keep)
    pod.status.phase = "Running"
    setContainer(pod, { running: { startedAt: timestamp() } })
    store.touch(pod)
    const end = new Promise<void>((resolve) => {
      const ended = (exitCode: number, reason: string) => {
        if (!running.delete(pod.metadata.uid)) return
        pod.status.phase = exitCode === 0 ? "Succeeded" : "Failed"
        setContainer(pod, { terminated: { exitCode, reason } })
        store.touch(pod)
        resolve()
        onChange()
      }
      child.on("error", (error) => {
        keep(error.message)
        ended(128, "StartError")
      })
      child.on("close", (code, signal) =>
        ended(code ?? 128 + (SIGNALS[signal ?? ""] ?? 0), code === 0 ? "Completed" : "Error"),
      )
    })
    ends.add(end)
    void end.then(() => ends.delete(end))
  }
  return {
    start,
    stop(pod, graceMs) {
      const child = running.get(pod.metadata.uid)
      if (child === undefined) return
      signalGroup(child, graceMs > 0 ? "SIGTERM" : "SIGKILL")
      if (graceMs > 0) setTimeout(() => signalGroup(child, "SIGKILL"), graceMs).unref()
    },
    log: (pod) => logs.get(pod.metadata.uid),
    isRunning: (pod) => running.has(pod.metadata.uid),
    async close() {
      for (const child of running.values()) signalGroup(child, "SIGKILL")
      await Promise.all(ends)
    },
  }
}

/** Marks a pod as the target of a disruption, as an eviction or a preemption does. */
export function markDisrupted({ status }: ApiPod, reason: string): void {
  const condition: ApiCondition = { type: "DisruptionTarget", status: "True", reason, lastTransitionTime: timestamp() }
  status.conditions = [...status.conditions.filter(({ type }) => type !== condition.type), condition]
}

function setContainer(pod: ApiPod, state: ApiPod["status"]["containerStatuses"][number]["state"]): void {
  pod.status.containerStatuses = [{ name: pod.spec.containers[0]?.name ?? "", state }]
}

/** Returns what prevents a mount, if a claim does not exist or is mounted at a path that a process of this machine can't have. */
function missingMount({ spec }: ApiPod, claims: KubeletOptions["claims"]): string | undefined {
  for (const { name, mountPath } of spec.containers[0]?.volumeMounts ?? []) {
    const claim = spec.volumes?.find((volume) => volume.name === name)?.persistentVolumeClaim?.claimName
    if (claim === undefined) continue
    if (claims[claim] === undefined) return `persistentvolumeclaim "${claim}" not found`
    if (claims[claim] !== mountPath) return `the claim "${claim}" can only be mounted at ${claims[claim]}`
  }
  return undefined
}

function signalGroup({ pid }: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // It has ended already.
  }
}
