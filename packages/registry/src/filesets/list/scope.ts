import type { VisibleWorkspaces } from "../../registry.ts"

/** Whose filesets are listed: those of one workspace, of all, or of the ones named. */
export type Scope =
  | { readonly kind: "one"; readonly workspace: string }
  | { readonly kind: "all" }
  | { readonly kind: "some"; readonly workspaces: readonly string[] }

export function scopeOf(workspace: string | undefined, visible: VisibleWorkspaces): Scope {
  if (workspace !== undefined) return { kind: "one", workspace }
  return visible === "all" ? { kind: "all" } : { kind: "some", workspaces: visible.toSorted() }
}
