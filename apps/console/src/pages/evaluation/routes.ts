import type { AnyRoute } from "@tanstack/react-router"
import { pageRoute } from "../page-route.tsx"

/** Adds the pages that launch jobs and show their results. */
export function pagesOfEvaluation(root: AnyRoute): AnyRoute[] {
  return [
    pageRoute(root, "/jobs", () => import("./jobs/jobs-page.tsx"), "JobsPage"),
    pageRoute(root, "/jobs/$id", () => import("./job/job-page.tsx"), "JobPage"),
    pageRoute(root, "/launch", () => import("./launch/launch-page.tsx"), "LaunchPage"),
    pageRoute(root, "/trends", () => import("./trends/trends-page.tsx"), "TrendsPage"),
    pageRoute(root, "/compare", () => import("./compare/compare-page.tsx"), "ComparePage"),
  ]
}
