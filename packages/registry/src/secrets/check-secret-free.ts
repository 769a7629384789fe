import { AssayError, type SecretAddress } from "@assay/schemas"
import type { RegistryContext } from "../registry-context.ts"
import type { VisibleWorkspaces } from "../registry.ts"
import { findSecretUses } from "./find-secret-uses.ts"
import type { SecretUse } from "./secret-use.ts"

/** Uses that are named; the others are counted. */
const MAX_NAMED = 10

/** @throws `in_use` that names what uses the secret, as far as it may be seen; `used_by` and `uses` in its context */
export async function checkSecretFree(
  context: Pick<RegistryContext, "database" | "defaultStorage">,
  secret: SecretAddress,
  visible: VisibleWorkspaces,
): Promise<void> {
  const named: SecretUse[] = []
  let [seen, hidden] = [0, 0]
  for await (const use of findSecretUses(context, secret)) {
    const isVisible = use.workspace === "" || visible === "all" || visible.includes(use.workspace)
    if (!isVisible) hidden += 1
    else {
      seen += 1
      if (named.length < MAX_NAMED) named.push(use)
    }
  }
  const uses = seen + hidden
  if (uses === 0) return
  const { workspace, name } = secret
  const list = [...named.map(textOf), ...more(seen - named.length, "more"), ...more(hidden, "you can't see")].join(", ")
  const message = `Secret '${workspace}/${name}' is used by ${list}; change them first, or delete it anyway with force=true.`
  throw new AssayError("in_use", message, { context: { workspace, name, used_by: named, uses } })
}

function textOf({ kind, workspace, name }: SecretUse): string {
  return workspace === ""
    ? `the ${kind} of the server`
    : `${kind} '${kind === "evaluation job" ? name : `${workspace}/${name}`}'`
}

function more(count: number, what: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${what}`]
}
