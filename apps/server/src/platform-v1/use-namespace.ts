import { includesRole, roleIn, type Caller } from "@assay/access"
import { ensureWorkspace } from "@assay/registry"
import type { Services } from "../services.ts"

/**
 * Creates the workspace of a namespace at its first use: on the platform's first version, a namespace is only a name. Does nothing if the
 * caller may not create workspaces.
 */
export async function useNamespace(
  { registry }: Pick<Services, "registry">,
  caller: Caller,
  name: string,
): Promise<void> {
  const role = roleIn(caller, "*")
  if (role !== undefined && includesRole(role, "admin")) await ensureWorkspace(registry.workspaces, name)
}
