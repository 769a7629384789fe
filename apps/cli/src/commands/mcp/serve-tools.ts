import { serveOverStdio } from "@assay/mcp"
import { cutMiddle, printable } from "@assay/schemas"
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
    onError: (error) => sayText(stderr, `a message was refused: ${reasonOf(error)}\n`),
  })
}

const MAX_SHOWN = 200

/** Returns the message of an error on one line: the library lists every form that a message could have. */
function reasonOf({ message }: Error): string {
  return cutMiddle(printable(message.replaceAll(/\s+/g, " ")), MAX_SHOWN)
}
