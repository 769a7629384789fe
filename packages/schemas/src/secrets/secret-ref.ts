import { Type, type Static } from "@sinclair/typebox"

/** Names a secret: `name` in the workspace of the request, or `workspace/name`. Never the value itself. */
export const SecretRef = Type.String({
  $id: "SecretRef",
  pattern: "^([^/\\s]{1,63}/)?[A-Za-z0-9_.\\-]{1,255}$",
  description: "`<secret_name>` (the workspace of the request is used) or `<workspace>/<secret_name>`.",
  examples: ["hub-token", "shared/hub-token"],
})
export type SecretRef = Static<typeof SecretRef>

export interface SecretAddress {
  readonly workspace: string
  readonly name: string
}

/** The secret that `ref` names when it is used in `workspace`. */
export function parseSecretRef(ref: string, workspace: string): SecretAddress {
  const slash = ref.indexOf("/")
  return slash < 0 ? { workspace, name: ref } : { workspace: ref.slice(0, slash), name: ref.slice(slash + 1) }
}
