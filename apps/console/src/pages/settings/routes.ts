import type { AnyRoute } from "@tanstack/react-router"

/** Workspaces, secrets, tokens and the audit log. */
export function pagesOfSettings(_root: AnyRoute): AnyRoute[] {
  return []
}
