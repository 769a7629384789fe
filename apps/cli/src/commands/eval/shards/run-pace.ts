import { cutRuns } from "@assay/local"
import { PaceLease, printable } from "@assay/schemas"
import { AssayError, isAssayError, messageOf } from "@assay/schemas/errors"
import type { Context } from "../../../context.ts"
import { defaultWorkspace, openClient } from "../../../open-client.ts"
import { missingVariable, paceLocation } from "./pace-location.ts"

/** The rates of endpoints, as `cutRuns.runShard` uses them. */
type Paces = NonNullable<Parameters<typeof cutRuns.runShard>[2]["paces"]>

interface OpenedPaces extends AsyncDisposable {
  readonly paces: Paces
}

interface OpenPacesOptions {
  /** Returns the workspace whose shards share the rates. */
  readonly workspaceOf: () => Promise<string>
  /** Receives why they are not shared at present, with which the shards go on. */
  readonly say: (note: string) => void
}

/**
 * Opens the location where shards share rates. Undefined: none is named.
 * @throws what the location responds to a caller who may not use it, before a model is asked
 */
export async function openPaces(
  context: Context,
  { workspaceOf, say }: OpenPacesOptions,
): Promise<OpenedPaces | undefined> {
  const location = paceLocation(context)
  if (location === undefined) return undefined
  const { kind, url } = location
  const opened =
    kind === "server"
      ? await openServer(context, url, await workspaceOf())
      : cutRuns.openPaces({ url, now: context.now })
  try {
    // It changes nothing: there is nothing to report, and no endpoint has this digest.
    await opened.paces.exchange(NO_ENDPOINT, { unused: 0, answers: [], wanted: 0 }, AbortSignal.timeout(CHECK_MS))
  } catch (error) {
    const isSilent = !isAssayError(error) || error.retry === "later"
    if (context.signal.aborted || !isSilent) {
      await opened[Symbol.asyncDispose]()
      context.signal.throwIfAborted()
      throw error
    }
    say(`the rates of endpoints are not shared until --pace responds: ${printable(messageOf(error))}`)
  }
  return opened
}

/**
 * Checks the location where the shards of a new run will share rates, if it is known here.
 * @param isHere whether the shards run on this machine, with its variables
 * @throws the errors of `openPaces`
 */
export async function checkPaces(
  context: Context,
  { isHere, say }: { readonly isHere: boolean; readonly say: (note: string) => void },
): Promise<void> {
  // The machines of an engine can have variables that this one does not have.
  const missing = isHere ? undefined : missingVariable(context)
  if (missing !== undefined) {
    say(`the variable ${missing} of --pace is not set here: each machine that runs shards needs it`)
    return
  }
  await using _opened = await openPaces(context, { workspaceOf: async () => defaultWorkspace(context), say })
}

const NO_ENDPOINT = `${"A".repeat(43)}=`
const CHECK_MS = 5000

async function openServer(context: Context, url: string, workspace: string): Promise<OpenedPaces> {
  const { compileCheck } = await import("@assay/validation")
  const checkLease = compileCheck(PaceLease)
  const client = openClient({ ...context, env: { ...context.env, ASSAY_URL: url } })
  return {
    paces: {
      async exchange(endpoint, report, signal) {
        const lease = await client.evaluation.exchangePace(workspace, { endpoint, ...report }, { signal })
        if (checkLease(lease).valid) return lease
        throw new AssayError(
          "bad_answer",
          `${client.url} returned a lease that is not valid: use a server of this version.`,
        )
      },
    },
    async [Symbol.asyncDispose]() {},
  }
}
