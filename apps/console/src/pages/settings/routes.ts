import type { AnyRoute } from "@tanstack/react-router"
import { pageRoute } from "../page-route.tsx"

/** Adds the pages of workspaces, spending, secrets, tokens and the audit of writes. */
export function pagesOfSettings(root: AnyRoute): AnyRoute[] {
  return [
    pageRoute(root, "/workspaces", () => import("./workspaces/workspaces-page.tsx"), "WorkspacesPage"),
    pageRoute(root, "/spending", () => import("./spending/spending-page.tsx"), "SpendingPage"),
    pageRoute(root, "/secrets", () => import("./secrets/secrets-page.tsx"), "SecretsPage"),
    pageRoute(root, "/tokens", () => import("./tokens/tokens-page.tsx"), "TokensPage"),
    pageRoute(root, "/audit", () => import("./audit/audit-page.tsx"), "AuditPage"),
  ]
}
