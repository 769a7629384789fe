import { availableParallelism, hostname } from "node:os"
import process from "node:process"
import type { JobHost } from "@assay/jobs"
import { loadExecutors } from "@assay/jobs/service"
import { createTransport } from "@assay/storage"
import type { ServerContext } from "../server-context.ts"
import { SETTING_NAMES } from "../settings/settings-schema.ts"
import { sleep } from "../sleep.ts"

/** Opens the engines that the jobs of this server can name. Undefined: the operator has set no file. @throws `bad_settings` */
export async function openExecutors({
  settings,
  cwd,
  now,
  randomBytes,
  program,
}: ServerContext): Promise<JobHost["executors"]> {
  const { ASSAY_EXECUTORS: file } = settings
  if (file === undefined) return undefined
  return loadExecutors(file, {
    cwd,
    env: variablesOfShards(process.env),
    sleep,
    now,
    elapsed: () => performance.now(),
    randomBytes,
    program,
    cores: availableParallelism(),
    host: hostname(),
    pid: process.pid,
    // The lease says who follows a job. Processes of an earlier follower have ended with it.
    isProcessAlive: () => false,
    endProcess: () => {},
    openRemote: () => ({ transport: createTransport(), now, random: Math.random, sleep }),
  })
}

/** Returns the variables of this process without its settings, keys among them, which no shard needs. */
function variablesOfShards(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const settings = new Set<string>(SETTING_NAMES)
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !settings.has(name) && !/^(?:ASSAY|DATABASE)_/.test(name)),
  )
}
