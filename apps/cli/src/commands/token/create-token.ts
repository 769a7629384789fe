import { existsSync, mkdirSync } from "node:fs"
import { dirname } from "node:path"
import type { Role } from "@assay/server"
import type { Context } from "../../context.ts"
import { printable } from "../../output/printable.ts"
import { writeText } from "../../output/write-text.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { findTokensFile } from "./find-tokens-file.ts"
import { parseSpan } from "./parse-span.ts"

export interface CreateTokenOptions extends JsonOption {
  readonly role: Role
  readonly workspace: readonly string[]
  readonly expires?: string
}

/** `assay token create <name>`: the token alone goes to stdout, so that a script can keep it. */
export async function createToken(context: Context, name: string, options: CreateTokenOptions): Promise<void> {
  const { role, workspace, expires } = options
  const grants = workspace.map((workspace) => ({ workspace, role }))
  const lifetime = expires === undefined ? {} : { lifetimeMs: parseSpan(expires) }
  const { file, dataFolder, database } = await findTokensFile(context)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const server = await import("@assay/server")
  const { now, randomBytes } = context
  const tools = { file, now, randomBytes, newId: server.createIdMaker(randomBytes) }
  const { token, record } = await server.createToken(tools, { name, grants, ...lifetime })
  await print(context, options, { token, ...record }, () => `${token}\n`)
  if (options.json === true) return
  const until = record.expires_at === null ? "" : ` until ${record.expires_at}`
  const lines = [
    `made ${record.id}: ${role} in ${workspace.join(", ")}${until}. It is shown this once; send it as ASSAY_TOKEN.`,
    `wrote ${printable(file)}, for the server whose data folder is ${printable(dataFolder)}`,
    ...(database === undefined || existsSync(database) ? [] : [noDatabase(dataFolder)]),
  ]
  await writeText(context.stderr, `${lines.join("\n")}\n`)
}

/** A token for another folder than the server's is refused by the server without a reason that helps. */
function noDatabase(dataFolder: string): string {
  return (
    `warning: there is no database in ${printable(dataFolder)}, so no server has run on it. If your server has another data folder, ` +
    "make the token in the folder that the server was started in, or with ASSAY_DATA_DIR set to its data folder."
  )
}
