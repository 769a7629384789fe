import type { ClusterInfo, ServiceStatus, Session, SignIn } from "@assay/schemas"
import { discardBody } from "@assay/http"
import type { CallJson } from "../exchange/call-json.ts"
import type { CallOptions } from "../client-options.ts"
import type { Exchange } from "../exchange/exchange.ts"

export interface Service {
  /** Returns if the server process answers. */
  checkLive(options?: CallOptions): Promise<void>
  /** Returns if the database answers and the default storage accepts a write. @throws `unavailable` */
  checkReady(options?: CallOptions): Promise<void>
  status(options?: CallOptions): Promise<ServiceStatus>
  clusterInfo(options?: CallOptions): Promise<ClusterInfo>
  /** Returns who a browser is for the server, and what it may do. */
  session(options?: CallOptions): Promise<Session>
  /** Exchanges a token for a cookie, which only a browser keeps. @throws `unauthorized`, `too_many_requests` */
  signIn(body: SignIn, options?: CallOptions): Promise<Session>
  /** Signs a browser out. */
  signOut(options?: CallOptions): Promise<void>
}

export function createService(call: CallJson, exchange: Exchange): Service {
  return {
    checkLive: async ({ signal } = {}) => {
      await discardBody((await exchange({ method: "GET", path: "/health/live", signal })).body)
    },
    checkReady: async ({ signal } = {}) => {
      await call({ method: "GET", path: "/health/ready", signal })
    },
    status: ({ signal } = {}) => call({ method: "GET", path: "/status", signal }),
    session: ({ signal } = {}) => call({ method: "GET", path: "/session", signal }),
    signIn: (json, { signal } = {}) => call({ method: "POST", path: "/session", json, signal }),
    signOut: async ({ signal } = {}) => {
      await discardBody((await exchange({ method: "DELETE", path: "/session", signal })).body)
    },
    clusterInfo: ({ signal } = {}) => call({ method: "GET", path: "/cluster-info", signal }),
  }
}
