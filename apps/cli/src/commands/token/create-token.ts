import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import type { Role } from "@assay/server"
import type { Context } from "../../context.ts"
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
  const file = await findTokensFile(context)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const server = await import("@assay/server")
  const { now, randomBytes } = context
  const tools = { file, now, randomBytes, newId: server.createIdMaker(randomBytes) }
  const { token, record } = await server.createToken(tools, { name, grants, ...lifetime })
  await print(context, options, { token, ...record }, () => `${token}\n`)
  if (options.json === true) return
  const until = record.expires_at === null ? "" : ` until ${record.expires_at}`
  await writeText(
    context.stderr,
    `made ${record.id}: ${role} in ${workspace.join(", ")}${until}. It is shown this once; send it as ASSAY_TOKEN.\n`,
  )
}
