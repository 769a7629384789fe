import type { PaceTexts } from "@assay/inference"
import type { PaceExchange, PaceLease } from "@assay/schemas"

/** The rates of the endpoints that processes outside of a server ask for a workspace. */
export interface WorkspacePaces {
  /** Adds what a process has seen to what all of its workspace know, and leases turns to it. */
  exchange(workspace: string, exchange: PaceExchange): Promise<PaceLease>
}

/**
 * Creates the paces of workspaces over those of a server. A report is believed, so it counts in its workspace alone: neither the jobs of the server
 * nor other workspaces can be slowed by it.
 */
export function createWorkspacePaces(texts: PaceTexts): WorkspacePaces {
  return {
    async exchange(workspace, { endpoint, ...report }) {
      // Loaded with the first report, so that a server starts without it.
      const { storedPaces } = await import("@assay/inference")
      // The digests of the server's own jobs are shorter.
      return storedPaces(texts).exchange(`${workspace}/${endpoint}`, report)
    },
  }
}
