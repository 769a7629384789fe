import type { LocalPorts } from "@assay/local"
import { createKeyHosts } from "@assay/http/node"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"

/** The variable with the key of endpoints that name none. */
const KEY_VARIABLE = "ASSAY_INFERENCE_API_KEY"
/** The variable with the hosts that may receive keys, separated by commas. */
const HOSTS_VARIABLE = "ASSAY_KEY_HOSTS"
/** The operator of this machine names it, and no file does. */
const DEFAULT_URL_VARIABLE = "ASSAY_DEFAULT_INFERENCE_URL"

/** Returns the context for keys that may also be sent to these hosts, which `--key-host` names. */
export function withKeyHosts(context: Context, hosts: readonly string[] = []): Context {
  if (hosts.length === 0) return context
  const { env } = context
  return { ...context, env: { ...env, [HOSTS_VARIABLE]: [env[HOSTS_VARIABLE] ?? "", ...hosts].join(",") } }
}

/** Returns the options by which other processes may send keys to the hosts of a context, whoever listed them. */
export function keyHostOptions({ env }: Pick<Context, "env">): readonly string[] {
  return [...new Set(listedHosts(env))].flatMap((host) => ["--key-host", host])
}

function listedHosts(env: Context["env"]): readonly string[] {
  return (env[HOSTS_VARIABLE] ?? "")
    .split(",")
    .map((host) => host.trim())
    .filter((host) => host !== "")
}

/**
 * Returns the variables with the keys of models that this machine asks.
 * @param chosen the variable that `--api-key-env` names
 * @param urls addresses that the command line names
 * @throws `bad_usage` if the chosen variable is empty, `bad_settings` for an entry that is not a host
 */
export function keyVariables(
  { env }: Pick<Context, "env">,
  { chosen, urls = [] }: { readonly chosen?: string | undefined; readonly urls?: readonly (string | undefined)[] } = {},
): LocalPorts["keys"] {
  if (chosen !== undefined && (env[chosen] ?? "") === "") {
    throw new AssayError("bad_usage", `--api-key-env names ${chosen}, which is not set: put the key into it.`)
  }
  const origins = [...urls, env[DEFAULT_URL_VARIABLE]].map((url) => originOf(url))
  const hosts = [...listedHosts(env), ...origins].filter((host) => host !== "")
  return { env, defaultVariable: chosen ?? KEY_VARIABLE, isKeyHost: createKeyHosts(hosts, HOSTS_VARIABLE) }
}

function originOf(url = ""): string {
  const { origin = "null" } = URL.parse(url) ?? {}
  return origin === "null" ? "" : origin
}
