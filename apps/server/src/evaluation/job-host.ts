import { performance } from "node:perf_hooks"
import type { JobHost } from "@assay/evaluation"
import type { HostPolicy } from "@assay/http/host-policy"
import { sleep } from "../sleep.ts"

export interface JobHostContext extends Omit<JobHost, "checkEndpoint" | "openInference" | "random" | "sleep"> {
  /** The rules for the hosts of inference endpoints. */
  readonly policy: HostPolicy
  /** Memory that large answers of all endpoints share. */
  readonly answerRoom: NonNullable<Awaited<ReturnType<JobHost["openInference"]>>["answerRoom"]>
}

/** Creates the host that runs the jobs of this server. */
export function createJobHost({ policy, answerRoom, ...host }: JobHostContext): JobHost {
  return {
    ...host,
    checkEndpoint: (url) => policy.checkEndpoint(url),
    async openInference() {
      const { createGuardedAgent } = await import("@assay/http/guarded-agent")
      return {
        now: () => performance.now(),
        random: Math.random,
        sleep,
        openDispatcher: (connection) => createGuardedAgent(policy.checkNamed, { ...connection, patient: true }),
        answerRoom,
      }
    },
    random: Math.random,
    sleep,
  }
}
