import { access, readFile } from "node:fs/promises"
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
  const config = new Config()
  const listed = (env["KUBECONFIG"] ?? "").split(delimiter).filter((file) => file !== "")
  const home = env["HOME"] === undefined ? [] : [join(env["HOME"], ".kube", "config")]
  const files = listed.length > 0 ? listed.map((file) => resolve(cwd, file)) : home
  let isLoaded = false
  for (const file of files) {
    if (!(await exists(file))) continue
    if (isLoaded) {
      const next = new Config()
      readInto(next, file)
      mergeInto(config, next)
    } else readInto(config, file)
    isLoaded = true
  }
  if (isLoaded) {
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

/** Reads a kubeconfig. The errors of its parser quote lines of the file, so they are not kept. */
function readInto(config: KubeConfig, file: string): void {
  try {
    config.loadFromFile(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = code === undefined ? "it is not one, or a field is missing" : code
    throw failed(`The kubeconfig '${printable(file)}' can't be read (${why}): check it with \`kubectl config view\`.`)
  }
}

/** Adds what a further file of `KUBECONFIG` has. The first file that sets a value wins, as in kubectl. */
function mergeInto(config: KubeConfig, next: KubeConfig): void {
  const isNew = <T extends { readonly name: string }>(known: readonly T[]) => {
    const names = new Set(known.map(({ name }) => name))
    return ({ name }: T) => !names.has(name)
  }
  for (const one of next.clusters.filter(isNew(config.clusters))) config.addCluster(one)
  for (const one of next.users.filter(isNew(config.users))) config.addUser(one)
  for (const one of next.contexts.filter(isNew(config.contexts))) config.addContext(one)
  config.currentContext ??= next.currentContext
}

function selectContext(config: KubeConfig, context: string): void {
  if (config.getContextObject(context) === null) {
    const known = config.contexts.slice(0, 10).map(({ name }) => `'${printable(cutMiddle(name, 100))}'`)
    throw failed(`The kubeconfig has no context '${printable(context)}', but ${known.join(", ") || "none at all"}.`)
  }
  config.setCurrentContext(context)
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}

function failed(message: string): AssayError {
  return new AssayError("executor_failed", message)
}
