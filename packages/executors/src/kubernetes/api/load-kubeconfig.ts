import { readFile } from "node:fs/promises"
import { isIPv6 } from "node:net"
import { delimiter, join, resolve } from "node:path"
import type { KubeConfig } from "@kubernetes/client-node"
import { AssayError, cutMiddle, printable } from "@assay/schemas"
import type { ExecutorPorts } from "../../executor.ts"

export interface KubeconfigOptions {
  /** The context to use. Default: the current one. */
  readonly context: string | undefined
  /** The folder in which a pod has the token of its service account. */
  readonly accountFolder: string
}

/**
 * Loads the files of `KUBECONFIG`, or `~/.kube/config`, or the service account of the pod if there is no file.
 * @throws `executor_failed`, which never contains a part of the kubeconfig
 */
export async function loadKubeconfig(
  { env, cwd }: Pick<ExecutorPorts, "env" | "cwd">,
  { context, accountFolder }: KubeconfigOptions,
): Promise<KubeConfig> {
  // The rest of the client is 6 MB of types of all kinds of objects. We need three kinds.
  const { KubeConfig: Config } = await import("@kubernetes/client-node/dist/config.js")
  const listed = (env["KUBECONFIG"] ?? "").split(delimiter).filter((file) => file !== "")
  const home = env["HOME"] === undefined ? [] : [join(env["HOME"], ".kube", "config")]
  const files = listed.length > 0 ? listed.map((file) => resolve(cwd, file)) : home
  const config = new Config()
  const found = files.map((file) => readConfig(new Config(), file)).filter((one) => one !== undefined)
  for (const one of found) mergeInto(config, one)
  if (found.length > 0) {
    if (context !== undefined) selectContext(config, context)
    return config
  }
  const host = env["KUBERNETES_SERVICE_HOST"] ?? ""
  if (context === undefined && host !== "") return loadAccount(config, env, accountFolder)
  const looked = files.map((file) => `'${printable(file)}'`).join(", ")
  throw failed(
    `There is no kubeconfig${looked === "" ? "" : ` (${looked})`}, and this is no pod with a service account: set KUBECONFIG to the file that kubectl uses.`,
  )
}

async function loadAccount(config: KubeConfig, env: ExecutorPorts["env"], folder: string): Promise<KubeConfig> {
  const host = env["KUBERNETES_SERVICE_HOST"] ?? ""
  const port = env["KUBERNETES_SERVICE_PORT"] ?? "443"
  const namespace = await readFile(join(folder, "namespace"), "utf8").catch(() => undefined)
  const name = "in-cluster"
  config.loadFromOptions({
    clusters: [
      {
        name,
        caFile: join(folder, "ca.crt"),
        server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
        skipTLSVerify: false,
      },
    ],
    users: [{ name, authProvider: { name: "tokenFile", config: { tokenFile: join(folder, "token") } } }],
    contexts: [{ name, cluster: name, user: name, ...(namespace === undefined ? {} : { namespace }) }],
    currentContext: name,
  })
  return config
}

/** Reads a kubeconfig. Undefined if there is no file. The errors of its parser quote lines of the file, so they are not kept. */
function readConfig(config: KubeConfig, file: string): KubeConfig | undefined {
  try {
    config.loadFromFile(file)
    return config
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException
    if (code === "ENOENT" && path === file) return undefined
    const why = code === undefined ? "it is not one, or a field is missing" : code
    throw failed(`The kubeconfig '${printable(file)}' can't be read (${why}): check it with \`kubectl config view\`.`)
  }
}

/** Adds what a further file of `KUBECONFIG` has. The first file that has a name or the current context wins, as in kubectl. */
function mergeInto(config: KubeConfig, next: KubeConfig): void {
  const merged = <T extends { readonly name: string }>(known: readonly T[], more: readonly T[]): T[] => {
    const names = new Set(known.map(({ name }) => name))
    return [...known, ...more.filter(({ name }) => !names.has(name))]
  }
  config.clusters = merged(config.clusters, next.clusters)
  config.users = merged(config.users, next.users)
  config.contexts = merged(config.contexts, next.contexts)
  config.currentContext ||= next.currentContext
}

function selectContext(config: KubeConfig, context: string): void {
  if (config.getContextObject(context) === null) {
    const known = config.contexts.slice(0, 10).map(({ name }) => `'${printable(cutMiddle(name, 100))}'`)
    throw failed(`The kubeconfig has no context '${printable(context)}', but ${known.join(", ") || "none at all"}.`)
  }
  config.setCurrentContext(context)
}

function failed(message: string): AssayError {
  return new AssayError("executor_failed", message)
}
