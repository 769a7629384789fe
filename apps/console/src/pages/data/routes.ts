import type { AnyRoute } from "@tanstack/react-router"
import { pageRoute } from "../page-route.tsx"

/** Adds the pages of filesets, their files and rows, and models. */
export function pagesOfData(root: AnyRoute): AnyRoute[] {
  return [
    pageRoute(root, "/filesets", () => import("./filesets/filesets-page.tsx"), "FilesetsPage"),
    pageRoute(root, "/filesets/$workspace/$name", () => import("./fileset/fileset-page.tsx"), "FilesetPage"),
    pageRoute(root, "/rows/$workspace/$name", () => import("./rows/rows-page.tsx"), "RowsPage"),
    pageRoute(root, "/trash", () => import("./trash/trash-page.tsx"), "TrashPage"),
    pageRoute(root, "/models", () => import("./models/models-page.tsx"), "ModelsPage"),
    pageRoute(root, "/models/$workspace/$name", () => import("./models/model-page.tsx"), "ModelPage"),
  ]
}
