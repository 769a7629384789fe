import type { Context } from "../../context.ts"

/** The environment in which a data folder that was named on the command line is the setting. */
export function withDataDir(env: Context["env"], dataDir: string | undefined): NodeJS.ProcessEnv {
  return dataDir === undefined ? { ...env } : { ...env, ASSAY_DATA_DIR: dataDir }
}
