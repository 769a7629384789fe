import { serveOverStdio } from "@assay/mcp"
import type { Context } from "../../context.ts"
import { clientOptions, defaultWorkspace } from "../../open-client.ts"
import { sayText } from "../../output/write-text.ts"
import { readVersion } from "../../read-version.ts"

/** Runs `assay mcp`: serves the tools until the assistant closes stdin. Only messages of the protocol are written to stdout. */
export async function serveTools(context: Context): Promise<void> {
  const { stdin, stdout, stderr, sleep, signal } = context
  await serveOverStdio({
    client: clientOptions(context),
    workspace: defaultWorkspace(context),
    version: readVersion(),
    sleep,
    stdin,
    stdout,
    signal,
    onError: (error) => sayText(stderr, `a message was refused: ${error.message}\n`),
  })
}
