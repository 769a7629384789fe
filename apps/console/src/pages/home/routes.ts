import type { AnyRoute } from "@tanstack/react-router"
import { pageRoute } from "../page-route.tsx"

/** Adds the page with the newest records and the first things to try. */
export function pagesOfHome(root: AnyRoute): AnyRoute[] {
  return [pageRoute(root, "/", () => import("./home-page.tsx"), "HomePage")]
}
