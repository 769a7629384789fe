import { createHash } from "node:crypto"
import type { ShardWork } from "../executor.ts"

/**
 * Characters of the name of a Job. Kubernetes appends `-` and the index (5 digits) for the host name of a pod, and `-` and 5 random characters for its
 * name, which is a DNS label of at most 63 characters (RFC 1123).
 */
const MAX_NAME = 51
/** Characters of an id in a name. */
const ID_LENGTH = 10

/** Returns the name of the Jobs of a run without their number: `assay-mmlu-3f9a0c11d2`. A DNS label that leaves room for `-`, the number and what Kubernetes appends. */
export function jobBaseName({ name, id }: Pick<ShardWork, "name" | "id">): string {
  const [, hex] = /^[a-z]+-([0-9a-f]{10})[0-9a-f]*$/.exec(id) ?? []
  const ending = `-${hex ?? digestOf(id).slice(0, ID_LENGTH)}`
  const room = MAX_NAME - ending.length - "assay-".length - "-9999".length
  const words = slugOf(name).slice(0, room).replace(/-+$/, "")
  return `assay${words === "" ? "" : `-${words}`}${ending}`
}

/** Returns the name of the Job that runs the shards of submission `number` of a run, from 1. */
export function shardsJobName(base: string, number: number): string {
  return `${base}-${number}`
}

/** Returns the name of the Job that merges them. No index follows it. */
export function mergeJobName(base: string, number: number): string {
  return `${base}-${number}-merge`
}

/** Returns the number of the submission that a Job belongs to. Undefined if its name is not one of the run. */
export function submissionNumber(base: string, jobName: string): number | undefined {
  if (!jobName.startsWith(`${base}-`)) return undefined
  const [, number] = /^(\d{1,4})(?:-merge)?$/.exec(jobName.slice(base.length + 1)) ?? []
  return number === undefined ? undefined : Number(number)
}

/** Matches the names that `shardsJobName` and `mergeJobName` make. */
const MADE = /^assay-(?:[a-z0-9-]{1,40}-)?[0-9a-f]{10}-\d{1,4}(?:-merge)?$/

/** Returns whether a name is one that Jobs of this executor have. */
export function isJobName(name: string): boolean {
  return name.length <= MAX_NAME + "-merge".length && MADE.test(name)
}

/** Returns a text as the value of a label: the text itself if it is one, else its digest. */
export function labelValue(text: string): string {
  return /^[a-z0-9](?:[\w.-]{0,61}[a-z0-9])?$/i.test(text) ? text : digestOf(text).slice(0, 40)
}

/** Returns the SHA-256 digest of a text in hexadecimal. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}

function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
}
