import { fileURLToPath } from "node:url"
import { startChildServer, type ChildServer } from "./child-server.ts"

const SERVER_MAIN = fileURLToPath(import.meta.resolve("@assay/server/main"))
export const CLI_MAIN = fileURLToPath(import.meta.resolve("@assay/cli/main"))

/** Starts the real server, as its users do and with their log level, on a data folder. */
export function startAssay(dataFolder: string, env: NodeJS.ProcessEnv = {}): Promise<ChildServer> {
  return startChildServer(SERVER_MAIN, [], {
    HOST: "127.0.0.1",
    PORT: "0",
    ASSAY_DATA_DIR: dataFolder,
    ...env,
  })
}
