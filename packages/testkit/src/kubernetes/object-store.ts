import { randomUUID } from "node:crypto"
import { type ApiJob, type ApiMetadata, type ApiPod, timestamp } from "./kubernetes-objects.ts"

/** The Jobs and pods of a cluster, in the order in which they were created. */
export interface ObjectStore {
  readonly jobs: Map<string, ApiJob>
  readonly pods: Map<string, ApiPod>
  /** Returns the metadata of a new object. */
  newMetadata(namespace: string, name: string, given?: Pick<ApiMetadata, "labels" | "annotations">): ApiMetadata
  /** Marks an object as changed. */
  touch(object: { readonly metadata: ApiMetadata }): void
  /** The version of the newest change. */
  version(): string
  podsOf(job: ApiJob): readonly ApiPod[]
  /** Removes a Job. Its pods stay. */
  forget(job: ApiJob): void
  /** Hides a Job from readers. Its controller still removes its pods. */
  hide(job: ApiJob): void
}

/** Returns the key of an object. */
export function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`
}

/** Begins the keys of hidden Jobs. No namespace begins with it. */
const HIDDEN = "/"

/** Returns whether readers see the object with a key. */
export function isVisible(key: string): boolean {
  return !key.startsWith(HIDDEN)
}

export function createObjectStore(): ObjectStore {
  const jobs = new Map<string, ApiJob>()
  const pods = new Map<string, ApiPod>()
  let version = 1000
  return {
    jobs,
    pods,
    newMetadata(namespace, name, { labels, annotations } = { labels: {}, annotations: {} }) {
      return {
        name,
        namespace,
        uid: randomUUID(),
        creationTimestamp: timestamp(),
        resourceVersion: String(++version),
        labels: { ...labels },
        annotations: { ...annotations },
      }
    },
    touch({ metadata }) {
      metadata.resourceVersion = String(++version)
    },
    version: () => String(version),
    forget(job) {
      for (const [key, one] of jobs) if (one === job) jobs.delete(key)
    },
    hide(job) {
      this.forget(job)
      jobs.set(`${HIDDEN}${job.metadata.uid}`, job)
    },
    podsOf: (job) =>
      [...pods.values()].filter(({ metadata }) =>
        metadata.ownerReferences?.some(({ uid }) => uid === job.metadata.uid),
      ),
  }
}
