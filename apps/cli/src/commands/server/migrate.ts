import { EXIT, type ExitCode } from "../../exit-code.ts"
import type { Context } from "../../context.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { withDataDir } from "./config.ts"

export interface MigrateCommandOptions extends JsonOption {
  readonly check?: boolean
  readonly dataDir?: string
}

/** Runs `assay migrate`: exit code 1 if `--check` finds that migrations are missing. */
export async function migrate(context: Context, options: MigrateCommandOptions): Promise<ExitCode> {
  const { cwd, env } = context
  const isCheck = options.check === true
  const server = await import("@assay/server")
  const { settings } = server.loadSettings({ env: withDataDir(env, options.dataDir), cwd })
  const migrations = await server.migrateServer({ settings, cwd }, { isCheck })
  await print(context, options, isCheck ? { missing: migrations } : { ran: migrations }, () =>
    text(migrations, isCheck),
  )
  return isCheck && migrations.length > 0 ? EXIT.no : EXIT.done
}

function text(migrations: readonly string[], isCheck: boolean): string {
  if (migrations.length === 0) return "the database has the newest schema\n"
  return migrations.map((name) => `${isCheck ? "missing" : "ran"} ${name}\n`).join("")
}
