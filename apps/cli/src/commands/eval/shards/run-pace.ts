import { cutRuns } from "@assay/jobs"
import { hasUrlUser, maskUrlUser, PaceLease, printable } from "@assay/schemas"
import { AssayError, isAssayError, messageOf } from "@assay/schemas/errors"
import type { Context } from "../../../context.ts"
import { defaultWorkspace, openClient } from "../../../open-client.ts"

/** The variable with the place where shards share the rates of the endpoints that they ask. */
const PACE_VARIABLE = "ASSAY_PACE"
const OPTION = "--pace"

/** Returns the context of a command with `--pace`. @throws `bad_usage` if it is not an address, or contains a password */
export function withPace(context: Context, pace: string | undefined): Context {
  const { env } = context
  const written = pace ?? env[PACE_VARIABLE] ?? ""
  if (written === "") return context
  if (!isVariable(written)) placeOf(written, OPTION)
  return { ...context, env: { ...env, [PACE_VARIABLE]: written } }
}

/** Returns the options by which other processes share the rates. They can be read by others: no password is in them. */
export function paceOptions({ env }: Pick<Context, "env">): readonly string[] {
  const written = env[PACE_VARIABLE] ?? ""
  return written === "" ? [] : ["--pace", written]
}

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
 * Opens the place where shards share rates. Undefined: none is named.
 * @throws what the place responds to a caller who may not use it, before a model is asked
 */
export async function openPaces(
  context: Context,
  { workspaceOf, say }: OpenPacesOptions,
): Promise<OpenedPaces | undefined> {
  const written = context.env[PACE_VARIABLE] ?? ""
  if (written === "") return undefined
  const { kind, url } = isVariable(written) ? addressIn(context, written) : placeOf(written, OPTION)
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
    say(`the rates of endpoints are not shared until ${OPTION} responds: ${printable(messageOf(error))}`)
  }
  return opened
}

/**
 * Checks the place where the shards of a new run will share rates, if it is known here.
 * @param isHere whether the shards run on this machine, with its variables
 * @throws the errors of `openPaces`
 */
export async function checkPaces(
  context: Context,
  { isHere, say }: { readonly isHere: boolean; readonly say: (note: string) => void },
): Promise<void> {
  const written = context.env[PACE_VARIABLE] ?? ""
  // The machines of an engine can have variables that this one does not have.
  if (!isHere && isVariable(written) && (context.env[nameOf(written)] ?? "") === "") {
    const name = printable(nameOf(written))
    say(`the variable ${name} of ${OPTION} is not set here: each machine that runs shards needs it`)
    return
  }
  await using _opened = await openPaces(context, { workspaceOf: async () => defaultWorkspace(context), say })
}

const NO_ENDPOINT = `${"A".repeat(43)}=`
const CHECK_MS = 5000

async function openServer(context: Context, url: string, workspace: string): Promise<OpenedPaces> {
  const { compileCheck } = await import("@assay/schemas/validation")
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

interface PacePlace {
  readonly kind: "server" | "database"
  readonly url: string
}

const VARIABLE = "env:"

function isVariable(written: string): boolean {
  return written.startsWith(VARIABLE)
}

function nameOf(written: string): string {
  return written.slice(VARIABLE.length)
}

/** Returns the address that a variable contains, which may have a password. @throws `bad_usage` */
function addressIn({ env }: Context, written: string): PacePlace {
  const name = nameOf(written)
  const value = env[name] ?? ""
  if (value === "") {
    const message = `--pace names the variable '${printable(name)}', which is not set: put the address of a server or a database into it.`
    throw new AssayError("bad_usage", message)
  }
  return placeOf(value, `the variable ${printable(name)} of --pace`)
}

const KINDS: Readonly<Record<string, PacePlace["kind"]>> = {
  "http:": "server",
  "https:": "server",
  "postgres:": "database",
  "postgresql:": "database",
}

/** @param where `--pace`, or the variable that it names */
function placeOf(written: string, where: string): PacePlace {
  const url = URL.parse(written)
  const kind = KINDS[url?.protocol ?? ""]
  if (url === null || kind === undefined) {
    const shown = where === OPTION ? ` '${printable(maskUrlUser(written))}'` : ""
    const message = `The address${shown} in ${where} is not that of a server or a PostgreSQL database: write it like https://assay.example, postgres://user@host/assay, or env:NAME for a variable.`
    throw new AssayError("bad_usage", message)
  }
  const isSecret = url.password !== "" || SECRETS.some((name) => url.searchParams.has(name))
  if (where === OPTION && (isSecret || (kind === "server" && hasUrlUser(written)))) {
    const message = `The address in --pace contains a password, and the run keeps the options of its shards: put the address into a variable, and write --pace env:NAME. A token of a server is in ASSAY_TOKEN.`
    throw new AssayError("bad_usage", message)
  }
  return { kind, url: written }
}

/** Parameters of an address of PostgreSQL that are secret. */
const SECRETS = ["password", "sslpassword"]
