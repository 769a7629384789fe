import type { Context } from "../../context.ts"
import { openClient } from "../../open-client.ts"
import { printable } from "../../output/printable.ts"
import type { JsonOption } from "../action.ts"
import { confirm } from "../confirm.ts"
import { print } from "../print.ts"
import { parseSecretName } from "./parse-secret-name.ts"

export interface DeleteSecretOptions extends JsonOption {
  readonly yes?: boolean
  readonly force?: boolean
}

/** `assay secret delete <name>` */
export async function deleteSecret(context: Context, secret: string, options: DeleteSecretOptions): Promise<void> {
  const { workspace, name } = parseSecretName(secret, context)
  await confirm(context, `Delete the secret ${printable(`${workspace}/${name}`)}?`, options.yes)
  const { signal } = context
  await openClient(context).secrets.remove(workspace, name, { signal, force: options.force === true })
  await print(context, options, { workspace, name, deleted: true }, () => `deleted ${workspace}/${name}\n`)
}
