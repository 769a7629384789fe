import { randomBytes } from "node:crypto"
import process from "node:process"
import { isAssayError } from "@assay/schemas"
import { createLogger } from "./logger.ts"
import { serve } from "./serve.ts"
import { loadSettings } from "./settings/load-settings.ts"
import { readServerWords, SERVER_USAGE } from "./settings/read-server-words.ts"
import { forgetSecrets } from "./settings/read-setting-sources.ts"
import { stopOnSignals } from "./stop-on-signals.ts"
import { welcome } from "./welcome.ts"

const USER_CAN_FIX = 2
const OUR_FAULT = 70

/** Runs the server of this process's words and settings until a signal stops it. Ends with code 2 if one of them is wrong. */
export async function startServer(): Promise<void> {
  try {
    const words = readServerWords(process.argv.slice(2))
    if (words.help) return void process.stdout.write(SERVER_USAGE)
    const { settings, unknown } = loadSettings({ env: { ...process.env, ...words.env }, cwd: process.cwd() })
    forgetSecrets(process.env)
    const logger = createLogger(settings, process.stderr.isTTY)
    for (const name of unknown) logger.warn(`${name} is not a setting of this version and has no effect`)
    const server = await serve({ settings, cwd: process.cwd(), now: Date.now, randomBytes, logger })
    process.stdout.write(welcome(server, "npm run -s assay --"))
    stopOnSignals(server, logger)
  } catch (error) {
    const known = isAssayError(error)
    process.stderr.write(`${known ? error.message : String((error as Error).stack)}\n`)
    process.exitCode = known ? USER_CAN_FIX : OUR_FAULT
  }
}
