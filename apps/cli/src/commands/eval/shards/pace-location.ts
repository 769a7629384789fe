import { hasUrlUser, maskUrlUser, printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../../context.ts"

/** The variable with the location where shards share the rates of the endpoints that they ask. */
const PACE_VARIABLE = "ASSAY_PACE"
const OPTION = "--pace"

/** Returns the context of a command with `--pace`. @throws `bad_usage` if it is not an address, or contains a password */
export function withPace(context: Context, pace: string | undefined): Context {
  const { env } = context
  const written = pace ?? env[PACE_VARIABLE] ?? ""
  if (written === "") return context
  if (!isVariable(written)) locationOf(written, OPTION)
  return { ...context, env: { ...env, [PACE_VARIABLE]: written } }
}

/** Returns the options by which other processes share the rates. They can be read by others: no password is in them. */
export function paceOptions({ env }: Pick<Context, "env">): readonly string[] {
  const written = env[PACE_VARIABLE] ?? ""
  return written === "" ? [] : ["--pace", written]
}

/** Returns the location that a command names. Undefined: none is named. @throws `bad_usage` */
export function paceLocation(context: Pick<Context, "env">): PaceLocation | undefined {
  const written = context.env[PACE_VARIABLE] ?? ""
  if (written === "") return undefined
  return isVariable(written) ? addressIn(context, written) : locationOf(written, OPTION)
}

/** Returns the name, to print, of the variable that should have the address and is not set. */
export function missingVariable({ env }: Pick<Context, "env">): string | undefined {
  const written = env[PACE_VARIABLE] ?? ""
  return isVariable(written) && (env[nameOf(written)] ?? "") === "" ? printable(nameOf(written)) : undefined
}

interface PaceLocation {
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
function addressIn({ env }: Pick<Context, "env">, written: string): PaceLocation {
  const name = nameOf(written)
  const value = env[name] ?? ""
  if (value === "") {
    const message = `--pace names the variable '${printable(name)}', which is not set: put the address of a server or a database into it.`
    throw new AssayError("bad_usage", message)
  }
  return locationOf(value, `the variable ${printable(name)} of --pace`)
}

const KINDS: Readonly<Record<string, PaceLocation["kind"]>> = {
  "http:": "server",
  "https:": "server",
  "postgres:": "database",
  "postgresql:": "database",
}

/** @param where `--pace`, or the variable that it names */
function locationOf(written: string, where: string): PaceLocation {
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
