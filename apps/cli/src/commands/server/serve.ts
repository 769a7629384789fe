import { once } from "node:events"
import type { Context } from "../../context.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { programOf } from "../../program-words.ts"
import { withDataDir } from "./config.ts"

export interface ServeOptions extends JsonOption {
  readonly host?: string
  readonly port?: number
  readonly dataDir?: string
}

/** Runs `assay serve` until Ctrl-C, and then until the requests in progress are finished. */
export async function serve(context: Context, options: ServeOptions): Promise<void> {
  const { cwd, now, randomBytes, signal, isTerminal } = context
  const server = await import("@assay/server")
  const { settings, unknown } = server.loadSettings({ env: withOptions(context.env, options), cwd })
  server.forgetSecrets(context.env)
  const logger = server.createLogger(settings, isTerminal.stderr)
  for (const name of unknown) logger.warn(`${name} is not a setting of this version and has no effect`)
  const running = await server.serve({ settings, cwd, now, randomBytes, logger, program: programOf(context) })
  try {
    const { url, dataFolder } = running
    await print(context, options, { url, data_folder: dataFolder }, () => server.welcome(running, "assay"))
    if (!signal.aborted) await once(signal, "abort")
  } finally {
    await running.close()
  }
}

/** Runs `assay worker`: takes evaluation jobs of a shared database, and serves only health and metrics. */
export function worker(context: Context, options: ServeOptions): Promise<void> {
  return serve({ ...context, env: { ...context.env, ASSAY_ROLES: "worker" } }, options)
}

function withOptions(env: Context["env"], { host, port, dataDir }: ServeOptions): NodeJS.ProcessEnv {
  return {
    ...withDataDir(env, dataDir),
    ...(host === undefined ? {} : { HOST: host }),
    ...(port === undefined ? {} : { PORT: String(port) }),
  }
}
