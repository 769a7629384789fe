import type { ClusterInfo, ServiceStatus } from "@assay/schemas"
import type { CallJson } from "./call-json.ts"
import type { CallOptions } from "./client-options.ts"
import { discardBody } from "./discard-body.ts"
import type { Exchange } from "./exchange.ts"

export interface Service {
  /** Returns when the process answers. */
  checkLive(options?: CallOptions): Promise<void>
  /** Returns when its database answers and its default storage takes a write. @throws `unavailable` */
  checkReady(options?: CallOptions): Promise<void>
  status(options?: CallOptions): Promise<ServiceStatus>
  clusterInfo(options?: CallOptions): Promise<ClusterInfo>
}

export function createService(call: CallJson, exchange: Exchange): Service {
  return {
    checkLive: async ({ signal } = {}) => {
      await discardBody(await exchange({ method: "GET", path: "/health/live", signal }))
    },
    checkReady: async ({ signal } = {}) => {
      await call({ method: "GET", path: "/health/ready", signal })
    },
    status: ({ signal } = {}) => call({ method: "GET", path: "/status", signal }),
    clusterInfo: ({ signal } = {}) => call({ method: "GET", path: "/cluster-info", signal }),
  }
}
