import { formatCount, formatSecrets, formatUnreadableSecrets } from "@assay/reports/terminal"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import { printable } from "@assay/schemas"
import type { Context } from "../../context.ts"
import { defaultWorkspace, openClient } from "../../open-client.ts"
import { writeStyled } from "../../output/write-text.ts"
import type { JsonOption } from "../action.ts"
import { confirm } from "../confirm.ts"
import { given } from "../option-values.ts"
import { print } from "../print.ts"
import { readSecretValue } from "./read-secret-value.ts"

/** Parses `name` or `workspace/name`. @throws `bad_usage` */
function parseSecretName(text: string, context: Context): { readonly workspace: string; readonly name: string } {
  const [, workspace = defaultWorkspace(context), name] = /^(?:([^/]+)\/)?([^/]+)$/s.exec(text) ?? []
  if (name !== undefined) return { workspace, name }
  throw new AssayError("bad_usage", `'${text}' does not name a secret: write it like hub-token or shared/hub-token.`)
}

export interface SetSecretOptions extends JsonOption {
  readonly description?: string
}

/** Runs `assay secret set <name>`. */
export async function setSecret(context: Context, secret: string, options: SetSecretOptions): Promise<void> {
  const { workspace, name } = parseSecretName(secret, context)
  const { signal } = context
  const value = await readSecretValue(context, `Value of ${workspace}/${name}: `)
  if (value === "") throw new AssayError("bad_usage", "The value is empty: type it, or pipe it in.")
  const fields = { value, ...given({ description: options.description }) }
  const { secrets } = openClient(context)
  try {
    const record = await secrets.create(workspace, { name, ...fields }, { signal })
    await print(context, options, record, () => `created ${workspace}/${name}\n`)
  } catch (error) {
    if (!isAssayError(error, "already_exists")) throw error
    const record = await secrets.update(workspace, name, fields, { signal })
    await print(context, options, record, () => `updated ${workspace}/${name}\n`)
  }
}

export interface ListSecretsOptions extends JsonOption {
  readonly workspace?: string
}

/** Runs `assay secret list`. */
export async function listSecrets(context: Context, options: ListSecretsOptions): Promise<void> {
  const { workspace = defaultWorkspace(context) } = options
  const data = await Array.fromAsync(openClient(context).secrets.list(workspace, { signal: context.signal }))
  await print(context, options, { data }, (_result, layout) => formatSecrets(data, layout))
}

export interface DeleteSecretOptions extends JsonOption {
  readonly yes?: boolean
  readonly force?: boolean
}

/** Runs `assay secret delete <name>`. */
export async function deleteSecret(context: Context, secret: string, options: DeleteSecretOptions): Promise<void> {
  const { workspace, name } = parseSecretName(secret, context)
  await confirm(context, `Delete the secret ${printable(`${workspace}/${name}`)}?`, options.yes)
  const { signal } = context
  await openClient(context).secrets.remove(workspace, name, { signal, force: options.force === true })
  await print(context, options, { workspace, name, deleted: true }, () => `deleted ${workspace}/${name}\n`)
}

export interface DiscardSecretsOptions extends JsonOption {
  readonly yes?: boolean
  readonly dryRun?: boolean
}

/** Runs `assay secret discard-unreadable`: deletes the secrets whose encryption key is lost. The server must be stopped. */
export async function discardUnreadableSecrets(context: Context, options: DiscardSecretsOptions): Promise<void> {
  const { env, cwd, randomBytes, isTerminal, stderr } = context
  const server = await import("@assay/server")
  const { settings } = server.loadSettings({ env, cwd })
  const repair = await server.openSettingsRepair({ settings, cwd, randomBytes })
  try {
    const secrets = await repair.list()
    if (options.dryRun === true)
      return await print(context, options, { secrets }, () => formatUnreadableSecrets(secrets))
    if (secrets.length > 0 && options.yes !== true) {
      if (!isTerminal.stdin || !isTerminal.stderr) {
        const count = formatCount(secrets.length, "secret")
        const message = `${count} would be deleted for good: add --yes, or list them first with --dry-run.`
        throw new AssayError("bad_usage", message)
      }
      await writeStyled(stderr, formatUnreadableSecrets(secrets))
      await confirm(context, `Delete ${formatCount(secrets.length, "secret")} that can't be read?`, false)
    }
    const discarded = await repair.discard(secrets)
    await print(context, options, { discarded, secrets }, () =>
      discarded === 0
        ? "every secret can be read: nothing was deleted\n"
        : `${formatUnreadableSecrets(secrets)}deleted ${formatCount(discarded, "secret")}; start the server and set each again with 'assay secret set'\n`,
    )
  } finally {
    await repair.close()
  }
}
