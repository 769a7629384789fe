import { AssayError } from "@assay/schemas/errors"
import type { UnreadableSecret } from "@assay/server"
import type { Context } from "../../context.ts"
import { formatCount } from "../../output/format-count.ts"
import { formatTable } from "../../output/format-table.ts"
import { writeStyled } from "../../output/write-text.ts"
import type { JsonOption } from "../action.ts"
import { confirm } from "../confirm.ts"
import { print } from "../print.ts"

export interface DiscardSecretsOptions extends JsonOption {
  readonly yes?: boolean
  readonly dryRun?: boolean
}

/** `assay secret discard-unreadable`: gives up the secrets whose encryption key is lost. Works on a stopped server. */
export async function discardUnreadableSecrets(context: Context, options: DiscardSecretsOptions): Promise<void> {
  const { env, cwd, randomBytes, isTerminal, stderr } = context
  const server = await import("@assay/server")
  const { settings } = server.loadSettings({ env, cwd })
  const repair = await server.openSettingsRepair({ settings, cwd, randomBytes })
  try {
    const secrets = await repair.list()
    if (options.dryRun === true) return await print(context, options, { secrets }, () => describeFound(secrets))
    if (secrets.length > 0 && options.yes !== true) {
      if (!isTerminal.stdin || !isTerminal.stderr) {
        const count = formatCount(secrets.length, "secret")
        const message = `${count} would be deleted for good: add --yes, or look at them first with --dry-run.`
        throw new AssayError("bad_usage", message)
      }
      await writeStyled(stderr, describeFound(secrets))
      await confirm(context, `Delete ${formatCount(secrets.length, "secret")} that can't be read?`, false)
    }
    const discarded = await repair.discard(secrets)
    await print(context, options, { discarded, secrets }, () =>
      discarded === 0
        ? "every secret can be read: nothing was deleted\n"
        : `${describeFound(secrets)}deleted ${formatCount(discarded, "secret")}; set each again with 'assay secret set' once the server runs\n`,
    )
  } finally {
    await repair.close()
  }
}

function describeFound(secrets: readonly UnreadableSecret[]): string {
  if (secrets.length === 0) return "every secret can be read\n"
  return formatTable(secrets, [
    { heading: "SECRET", value: ({ workspace, name }) => `${workspace}/${name}` },
    { heading: "NEEDS KEY", value: ({ key_name }) => key_name },
  ])
}
