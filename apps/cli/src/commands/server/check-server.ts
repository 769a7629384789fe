import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { openClient } from "../../open-client.ts"
import { find, type Finding } from "./finding.ts"

/** The server at ASSAY_URL: whether it answers, is healthy, and takes the token. */
export async function checkServer(context: Context): Promise<Finding> {
  const { signal } = context
  return find("server", async () => {
    const client = openClient(context)
    await client.service.checkLive({ signal })
    const { status, version, checks } = await client.service.status({ signal })
    const failed = Object.entries(checks).filter(([, { ok }]) => !ok)
    if (failed.length > 0) {
      const said = failed.map(([name, { detail }]) => `${name}: ${detail ?? "failed"}`)
      throw new AssayError("unavailable", `${client.url} is ${status}. ${said.join(". ")}`)
    }
    await client.workspaces.page({ page_size: 1 }, { signal })
    return `${client.url} is ${status}, version ${version}; checked: ${Object.keys(checks).join(", ")}`
  })
}
