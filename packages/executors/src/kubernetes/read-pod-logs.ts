import { cutMiddle, isAssayError, printable } from "@assay/schemas"
import type { ApiClient } from "./api/api-client.ts"
import { statusOf } from "./api/api-errors.ts"
import { CONTAINER } from "./pod-template.ts"
import { comparePods, INDEX_LABEL, JOB_LABEL, reasonOfEnd, reasonOfWaiting } from "./shard-states.ts"
import type { KubernetesPod } from "./api/api-objects.ts"

/** Pods of one shard whose logs are read: the last ones. */
const MAX_PODS = 20
/** Lines of one pod: the last ones. */
const MAX_LINES = 5000
/** Bytes of the log of one pod. */
const MAX_BYTES = 1024 * 1024
const MAX_MESSAGE = 500

/**
 * Reads what the pods of a completion index have written, the oldest pod first, each after a line with its name. Of a pod whose container does not
 * start, yields the reason. At most the last 20 pods, and the last 5,000 lines and 1 MiB of each.
 */
export async function* readPodLogs(
  api: ApiClient,
  job: string,
  completion: number,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const labels = `${JOB_LABEL}=${job},${INDEX_LABEL}=${completion}`
  const pods = (await api.listPods({ labels }, signal)).toSorted(comparePods)
  for (const pod of pods.slice(-MAX_PODS)) {
    const { name } = pod.metadata
    yield `--- pod ${printable(cutMiddle(name, 253))}${describe(pod)}\n`
    const waiting = reasonOfWaiting(pod)
    if (waiting !== undefined) {
      const { reason, message = "" } = waiting
      yield `It does not start: ${printable(cutMiddle(`${reason}${message === "" ? "" : `: ${message}`}`, MAX_MESSAGE))}\n`
      continue
    }
    const text = await readLog(api, name, signal)
    if (text !== "") yield text.endsWith("\n") ? text : `${text}\n`
  }
}

/** Reads the log of a pod. If its node does not respond, returns why: the other pods have logs, too. */
async function readLog(api: ApiClient, pod: string, signal: AbortSignal): Promise<string> {
  try {
    return (await api.readLog(pod, { container: CONTAINER, lines: MAX_LINES, bytes: MAX_BYTES }, signal)) ?? ""
  } catch (error) {
    if (!isAssayError(error) || (statusOf(error) ?? 0) < 500) throw error
    return error.message
  }
}

function describe(pod: KubernetesPod): string {
  const words = reasonOfEnd(pod) ?? pod.status?.phase
  return words === undefined ? "" : `: ${printable(cutMiddle(words, 100))}`
}
