import type { AnyRoute } from "@tanstack/react-router"
import { pageRoute } from "../page-route.tsx"

/** Filesets, their files and rows, and models. */
export function pagesOfData(root: AnyRoute): AnyRoute[] {
  return [pageRoute(root, "/filesets", () => import("./filesets/filesets-page.tsx"), "FilesetsPage")]
}
