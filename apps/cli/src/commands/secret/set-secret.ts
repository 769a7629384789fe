import { AssayError, isAssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { openClient } from "../../open-client.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { parseSecretName } from "./parse-secret-name.ts"
import { readSecretValue } from "./read-secret-value.ts"

export interface SetSecretOptions extends JsonOption {
  readonly description?: string
}

/** `assay secret set <name>` */
export async function setSecret(context: Context, secret: string, options: SetSecretOptions): Promise<void> {
  const { workspace, name } = parseSecretName(secret, context)
  const { signal } = context
  const value = await readSecretValue(context, `Value of ${workspace}/${name}: `)
  if (value === "") throw new AssayError("bad_usage", "The value is empty: type it, or pipe it in.")
  const { description } = options
  const fields = { value, ...(description === undefined ? {} : { description }) }
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
