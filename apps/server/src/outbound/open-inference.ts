import { performance } from "node:perf_hooks"
import type { JobHost } from "@assay/jobs"
import type { HostPolicy } from "@assay/http/node"
import type { Telemetry } from "@assay/telemetry"
import { sleep } from "../sleep.ts"

type OpenInference = JobHost["openInference"]

export interface InferenceSharing {
  /** The rules for the hosts of inference endpoints. */
  readonly policy: HostPolicy
  /** Makes a span of each call. Absent: nothing is collected. */
  readonly telemetry?: Telemetry | undefined
  /** The memory limit that large responses of all endpoints share. */
  readonly answerRoom: NonNullable<Awaited<ReturnType<OpenInference>>["answerRoom"]>
}

/** Returns a function that opens what the clients of all endpoints share. Its code is loaded with the first call. */
export function openInferenceWith({ policy, telemetry, answerRoom }: InferenceSharing): OpenInference {
  return async () => {
    const { createGuardedAgent } = await import("@assay/http/node")
    return {
      now: () => performance.now(),
      random: Math.random,
      sleep,
      openDispatcher: (connection) => createGuardedAgent(policy.checkNamed, { ...connection, patient: true }),
      telemetry,
      answerRoom,
    }
  }
}
