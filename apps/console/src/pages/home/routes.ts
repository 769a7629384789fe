import type { AnyRoute } from "@tanstack/react-router"
import { pageRoute } from "../page-route.tsx"
import { HomePage } from "./home-page.tsx"

/** Adds the page with the newest records and the first things to try. It is part of the first script: alone, it would be a dozen small ones. */
export function pagesOfHome(root: AnyRoute): AnyRoute[] {
  return [pageRoute(root, "/", async () => ({ HomePage }), "HomePage")]
}
