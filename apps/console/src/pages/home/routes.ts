import type { AnyRoute } from "@tanstack/react-router"
import { pageRoute } from "../page-route.tsx"

/** What happened last, and what to try first. */
export function pagesOfHome(root: AnyRoute): AnyRoute[] {
  return [pageRoute(root, "/", () => import("./home-page.tsx"), "HomePage")]
}
