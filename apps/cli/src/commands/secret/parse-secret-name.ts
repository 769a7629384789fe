import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { defaultWorkspace } from "../../file-address.ts"

/** Reads `name` or `ws/name`. @throws `bad_usage` */
export function parseSecretName(
  text: string,
  context: Pick<Context, "env">,
): { readonly workspace: string; readonly name: string } {
  const [, workspace = defaultWorkspace(context), name] = /^(?:([^/]+)\/)?([^/]+)$/s.exec(text) ?? []
  if (name === undefined)
    throw new AssayError("bad_usage", `'${text}' does not name a secret: write it like hub-token or shared/hub-token.`)
  return { workspace, name }
}
