import { checkBackends, checkEndpoints, type Client } from "@assay/client"
import { formatCount } from "@assay/reports/terminal"
import type { Context } from "../../context.ts"
import { openClient } from "../../open-client.ts"
import { type Finding, runCheck } from "@assay/server"

/** Checks the server at ASSAY_URL, and if it is well, what it stores. The first finding is about the server itself. */
export async function checkServer(context: Context): Promise<readonly [Finding, ...Finding[]]> {
  const { signal } = context
  const server = await runCheck("server", () => checkHealth(openClient(context), signal))
  if (!server.ok) return [server]
  const client = openClient(context)
  return [server, ...(await findBackends(client, signal)), ...(await findEndpoints(client, signal))]
}

/** Checks that the server answers, is healthy, and accepts the token. */
async function checkHealth(client: Client, signal: AbortSignal): Promise<Omit<Finding, "name">> {
  await client.service.checkLive({ signal })
  const { status, version, checks } = await client.service.status({ signal })
  const failed = Object.entries(checks).filter(([, { ok }]) => !ok)
  if (failed.length > 0) {
    const said = failed.map(([name, { detail }]) => `${name}: ${detail ?? "failed"}`)
    return { ok: false, detail: `${client.url} is ${status}. ${said.join(". ")}` }
  }
  await client.workspaces.page({ page_size: 1 }, { signal })
  const checked = Object.keys(checks).join(", ")
  return { ok: true, detail: `${client.url} is ${status}, version ${version}; checked: ${checked}` }
}

/** Opens the storage of every fileset that the token may see. */
async function findBackends(client: Client, signal: AbortSignal): Promise<readonly Finding[]> {
  const faults: string[] = []
  const all = await runCheck("filesets", async () => {
    const { own, usual } = await checkBackends(client, { signal, onFault: (fault) => faults.push(fault) })
    const summary = `${formatCount(own - faults.length, "backend")} of ${own} opened`
    return `${summary}, ${formatCount(usual, "fileset")} on the server's own storage`
  })
  return withFaults(all, "fileset", faults)
}

/** Makes the server ask the endpoint of every stored target and guardrail. Empty if there are none. */
async function findEndpoints(client: Client, signal: AbortSignal): Promise<readonly Finding[]> {
  const { effectiveData } = await import("@assay/guardrails")
  const faults: string[] = []
  let count: number | undefined
  const all = await runCheck("endpoints", async () => {
    count = await checkEndpoints(client, {
      signal,
      // Built-in configurations have no model of their own.
      hasEndpoint: (data) => effectiveData(data).models.some(({ url }) => url !== undefined),
      onFault: (fault) => faults.push(fault),
    })
    return `${formatCount(count - faults.length, "endpoint")} of ${count} answered, of stored targets and guardrails`
  })
  return count === 0 ? [] : withFaults(all, "endpoint", faults)
}

function withFaults(all: Finding, name: string, faults: readonly string[]): readonly Finding[] {
  const failed = faults.toSorted().map((detail) => ({ name, ok: false, detail }))
  return [{ ...all, ok: all.ok && failed.length === 0 }, ...failed]
}
